package io.aktis.architecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** Classes and jars of ours, without the tests; knows the folders of both kinds of build. */
final class MainClasses implements ImportOption {
  @Override
  public boolean includes(Location location) {
    return !location.contains("/test-classes/");
  }
}
