package io.aktis.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the rules of the contract, by their ids in {@code semantics.txt}, that a test proves. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface Semantics {
  String[] value();
}
