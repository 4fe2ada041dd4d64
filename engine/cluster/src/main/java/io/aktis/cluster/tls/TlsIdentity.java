package io.aktis.cluster.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/**
 * What was read from {@link TlsFiles}, and is fit for use: who this process is, and whom it trusts.
 * Immutable.
 *
 * @param chain the own certificate first
 * @param trust tells whether a chain ends at a CA of the cluster
 */
record TlsIdentity(List<X509Certificate> chain, PrivateKey key, X509TrustManager trust) {
  private static final Set<PosixFilePermission> OWNER =
      EnumSet.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);
  private static final int DNS_NAME = 2; // as getSubjectAlternativeNames has it
  private static final byte[] SAMPLE = {1, 2, 3};

  /** Reads the files and checks them. */
  static TlsIdentity load(TlsFiles files) throws TlsException {
    List<X509Certificate> authorities = Pem.certificates(files.ca());
    List<X509Certificate> chain = Pem.certificates(files.certificate());
    PrivateKey key = Pem.key(files.key());
    checkPermissions(files.key());
    for (X509Certificate authority : authorities) {
      checkAuthority(files.ca(), authority);
    }
    for (X509Certificate certificate : chain) {
      checkTime(files.certificate(), certificate);
    }
    checkFits(files.certificate(), chain.getFirst(), files.key(), key);
    X509TrustManager trust = trust(files.ca(), authorities);
    checkChain(files, chain, trust);
    return new TlsIdentity(List.copyOf(chain), key, trust);
  }

  /** Nobody else may read the key; but a key of root may be lent to a group, as to containers. */
  private static void checkPermissions(Path file) throws TlsException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view == null) {
      return; // a file system without such permissions
    }
    try {
      PosixFileAttributes attributes = view.readAttributes();
      Set<PosixFilePermission> excess = EnumSet.noneOf(PosixFilePermission.class);
      excess.addAll(attributes.permissions());
      excess.removeAll(OWNER);
      if (attributes.owner().getName().equals("root")) {
        excess.remove(PosixFilePermission.GROUP_READ);
      }
      if (!excess.isEmpty()) {
        throw new TlsException(
            "others than its owner may use the private key %s (%s); run 'chmod 600 %s'"
                .formatted(file, PosixFilePermissions.toString(attributes.permissions()), file));
      }
    } catch (TlsException e) {
      throw e;
    } catch (IOException e) {
      throw new TlsException(file + " cannot be looked at: " + e, e);
    }
  }

  private static void checkAuthority(Path file, X509Certificate authority) throws TlsException {
    if (authority.getBasicConstraints() < 0) {
      throw new TlsException(
          file + " has the certificate of " + name(authority) + ", which is not one of a CA");
    }
    checkTime(file, authority);
  }

  private static void checkTime(Path file, X509Certificate certificate) throws TlsException {
    Instant now = Instant.now();
    Instant end = certificate.getNotAfter().toInstant();
    Instant start = certificate.getNotBefore().toInstant();
    String what = "the certificate of " + name(certificate) + " in " + file;
    if (now.isAfter(end)) {
      throw new TlsException(what + " expired at " + end + "; make a new one, see 'aktis tls'");
    }
    if (now.isBefore(start)) {
      throw new TlsException(what + " is valid from " + start + " only, and the clock says " + now);
    }
  }

  /** Checks that a key is that of a certificate. */
  static void checkFits(
      Path certificateFile, X509Certificate certificate, Path file, PrivateKey key)
      throws TlsException {
    PublicKey publicKey = certificate.getPublicKey();
    boolean fits = false;
    if (publicKey.getAlgorithm().equals(key.getAlgorithm())) {
      try {
        fits = verifies(publicKey, key);
      } catch (GeneralSecurityException e) {
        throw new TlsException("the private key " + file + " does not work: " + e, e);
      }
    }
    if (!fits) {
      throw new TlsException(
          "the private key %s is not that of the certificate of %s in %s"
              .formatted(file, name(certificate), certificateFile));
    }
  }

  private static boolean verifies(PublicKey publicKey, PrivateKey key)
      throws GeneralSecurityException {
    Signature signature =
        Signature.getInstance(
            key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA");
    signature.initSign(key);
    signature.update(SAMPLE);
    byte[] signed = signature.sign();
    signature.initVerify(publicKey);
    signature.update(SAMPLE);
    return signature.verify(signed);
  }

  private static X509TrustManager trust(Path file, List<X509Certificate> authorities)
      throws TlsException {
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      for (int i = 0; i < authorities.size(); i++) {
        store.setCertificateEntry("ca-" + i, authorities.get(i));
      }
      TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
      factory.init(store);
      for (TrustManager manager : factory.getTrustManagers()) {
        if (manager instanceof X509TrustManager trust) {
          return trust;
        }
      }
      throw new IllegalStateException("PKIX has no trust manager for X.509");
    } catch (GeneralSecurityException | IOException e) {
      throw new TlsException("the certificates of " + file + " cannot be used: " + e, e);
    }
  }

  /** What the other processes will check is checked here first, where it can be mended. */
  private static void checkChain(
      TlsFiles files, List<X509Certificate> chain, X509TrustManager trust) throws TlsException {
    X509Certificate own = chain.getFirst();
    X509Certificate[] array = chain.toArray(X509Certificate[]::new);
    try {
      trust.checkServerTrusted(array, "UNKNOWN");
      trust.checkClientTrusted(array, "UNKNOWN");
      checkName(own);
    } catch (CertificateException e) {
      throw new TlsException(
          "the certificate of %s in %s does not fit the CA of %s: %s"
              .formatted(name(own), files.certificate(), files.ca(), reason(e)),
          e);
    }
  }

  /**
   * Checks that a certificate is one of a process of Aktis.
   *
   * @throws CertificateException when it is not; the message says so
   */
  static void checkName(X509Certificate certificate) throws CertificateException {
    if (!dnsNames(certificate).contains(ClusterTls.NODE_NAME)) {
      throw new CertificateException(
          "it is not made for Aktis: the DNS name "
              + ClusterTls.NODE_NAME
              + " is not among its subject alternative names");
    }
  }

  private static List<Object> dnsNames(X509Certificate certificate)
      throws CertificateParsingException {
    Collection<List<?>> names = certificate.getSubjectAlternativeNames();
    return names == null
        ? List.of()
        : names.stream()
            .filter(name -> name.getFirst().equals(DNS_NAME))
            .<Object>map(name -> name.get(1))
            .toList();
  }

  /** Returns a reason in words that need no knowledge of the JDK. */
  static String reason(CertificateException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertPathValidatorException path
          && path.getReason() == CertPathValidatorException.BasicReason.EXPIRED) {
        return "it has expired";
      }
      if (cause instanceof CertPathBuilderException) {
        return "it is signed by another CA";
      }
    }
    return String.valueOf(e.getMessage());
  }

  static String name(X509Certificate certificate) {
    return "'" + certificate.getSubjectX500Principal().getName() + "'";
  }

  /** Returns when the first of the own certificates expires. */
  Instant expires() {
    return chain.stream()
        .map(certificate -> certificate.getNotAfter().toInstant())
        .min(Instant::compareTo)
        .orElseThrow();
  }

  /** Returns how long the own certificates stay valid. */
  Duration left() {
    return Duration.between(Instant.now(), expires());
  }

  @Override
  public String toString() {
    return "TlsIdentity[" + name(chain.getFirst()) + "]"; // the key is a secret
  }
}
