package io.aktis.cluster.tls;

import java.math.BigInteger;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Makes keys and certificates: ECDSA on P-256, with the cryptography of the JDK. Stateless. */
final class CertificateMaker {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String SIGNATURE = "SHA256withECDSA";
  private static final int SERIAL_BITS = 127;

  /** Clocks of machines differ, and some are set back. */
  private static final Duration BEFORE_NOW = Duration.ofDays(1);

  private static final Pattern NAME =
      Pattern.compile("(?!-)[A-Za-z0-9_-]{1,63}(\\.[A-Za-z0-9_-]{1,63})*\\.?");

  private CertificateMaker() {}

  static KeyPair newKey() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has P-256", e);
    }
  }

  /** Returns the hosts without brackets. */
  static List<String> checkHosts(List<String> hosts) {
    return hosts.stream().map(CertificateMaker::checkHost).toList();
  }

  private static String checkHost(String host) {
    boolean brackets = host.startsWith("[") && host.endsWith("]");
    String bare = brackets ? host.substring(1, host.length() - 1) : host;
    if (!isAddress(bare) && (brackets || !NAME.matcher(bare).matches())) {
      throw new IllegalArgumentException(
          "a host of a certificate must be a name or an IP address, without port, not '"
              + host
              + "'");
    }
    return bare;
  }

  private static boolean isAddress(String host) {
    try {
      return InetAddress.ofLiteral(host) != null;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Makes the certificate of a CA, signed with its own key. Each has a name of its own. */
  static X509Certificate authority(KeyPair pair, Duration validity) {
    byte[] id = new byte[4];
    RANDOM.nextBytes(id);
    X500Name name = new X500Name("CN=Aktis cluster CA " + HexFormat.of().formatHex(id));
    X509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            name, serial(), start(), end(validity), name, pair.getPublic());
    try {
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
      builder.addExtension(
          Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
      builder.addExtension(
          Extension.subjectKeyIdentifier,
          false,
          new JcaX509ExtensionUtils().createSubjectKeyIdentifier(pair.getPublic()));
      return sign(builder, pair.getPrivate());
    } catch (CertIOException | GeneralSecurityException e) {
      throw new IllegalStateException("the certificate of the CA cannot be made", e);
    }
  }

  /**
   * Makes the certificate of a process, for both ends of connections.
   *
   * @param names its subject alternative names; at least one
   * @param validity how long it is valid, but not longer than the CA
   */
  static X509Certificate node(
      PublicKey key, List<String> names, Duration validity, X509Certificate ca, PrivateKey caKey) {
    X500Name name = subject(names.getFirst());
    X509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            X500Name.getInstance(ca.getSubjectX500Principal().getEncoded()),
            serial(),
            start(),
            endWithin(validity, ca),
            name,
            key);
    try {
      JcaX509ExtensionUtils identifiers = new JcaX509ExtensionUtils();
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
      builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
      builder.addExtension(
          Extension.extendedKeyUsage,
          false,
          new ExtendedKeyUsage(
              new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth}));
      builder.addExtension(Extension.subjectAlternativeName, false, alternatives(names));
      builder.addExtension(
          Extension.subjectKeyIdentifier, false, identifiers.createSubjectKeyIdentifier(key));
      builder.addExtension(
          Extension.authorityKeyIdentifier, false, identifiers.createAuthorityKeyIdentifier(ca));
      return sign(builder, caKey);
    } catch (CertIOException | GeneralSecurityException e) {
      throw new IllegalStateException("the certificate of a node cannot be made", e);
    }
  }

  /** For people who read logs; nothing checks it. */
  private static X500Name subject(String name) {
    return new X500NameBuilder().addRDN(BCStyle.CN, name).build();
  }

  private static GeneralNames alternatives(List<String> hosts) {
    List<GeneralName> names = new ArrayList<>();
    for (String host : hosts) {
      names.add(
          new GeneralName(isAddress(host) ? GeneralName.iPAddress : GeneralName.dNSName, host));
    }
    return new GeneralNames(names.toArray(GeneralName[]::new));
  }

  private static X509Certificate sign(X509v3CertificateBuilder builder, PrivateKey key)
      throws GeneralSecurityException {
    try {
      return new JcaX509CertificateConverter()
          .getCertificate(builder.build(new JcaContentSignerBuilder(SIGNATURE).build(key)));
    } catch (OperatorCreationException e) {
      throw new GeneralSecurityException("the key of the CA cannot sign", e);
    }
  }

  private static BigInteger serial() {
    return new BigInteger(SERIAL_BITS, RANDOM).setBit(SERIAL_BITS - 1);
  }

  private static Date start() {
    return Date.from(Instant.now().minus(BEFORE_NOW));
  }

  private static Date endWithin(Duration validity, X509Certificate ca) {
    Instant end = Instant.now().plus(validity);
    Instant last = ca.getNotAfter().toInstant();
    return Date.from(end.isBefore(last) ? end : last);
  }

  private static Date end(Duration validity) {
    return Date.from(Instant.now().plus(validity));
  }
}
