package io.aktis.cluster.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads and writes certificates and keys as PEM. Stateless. */
final class Pem {
  private static final String CERTIFICATE = "CERTIFICATE";
  private static final String PRIVATE_KEY = "PRIVATE KEY";
  private static final int MAX_FILE_BYTES = 1 << 20;

  /** What key algorithms there are: PKCS#8 names them, but the JDK wants to be told. */
  private static final List<String> KEY_ALGORITHMS = List.of("EC", "RSA");

  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----\\s([^-]*)-----END \\1-----");

  private record Block(String label, String base64) {
    byte[] der(Path file) throws TlsException {
      try {
        return Base64.getMimeDecoder().decode(base64);
      } catch (IllegalArgumentException e) {
        throw new TlsException(file + " is not PEM: " + e.getMessage(), e);
      }
    }
  }

  private Pem() {}

  /** Returns all certificates of a file, in their order; at least one. */
  static List<X509Certificate> certificates(Path file) throws TlsException {
    List<X509Certificate> found = new ArrayList<>();
    for (Block block : blocks(file)) {
      if (block.label.equals(CERTIFICATE)) {
        found.add(certificate(file, block.der(file)));
      }
    }
    if (found.isEmpty()) {
      throw new TlsException(
          file + " has no certificate in PEM form (-----BEGIN CERTIFICATE-----)");
    }
    return found;
  }

  private static X509Certificate certificate(Path file, byte[] der) throws TlsException {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(der));
    } catch (CertificateException e) {
      throw new TlsException(file + " has a certificate that cannot be read: " + e.getMessage(), e);
    }
  }

  /** Returns the private key of a file. */
  static PrivateKey key(Path file) throws TlsException {
    for (Block block : blocks(file)) {
      if (block.label.equals(PRIVATE_KEY)) {
        return key(file, block.der(file));
      }
      if (block.label.endsWith(PRIVATE_KEY)) {
        throw new TlsException(
            file
                + " has a key in the form '"
                + block.label
                + "'; it must be 'PRIVATE KEY' (PKCS#8, not encrypted), which"
                + " 'openssl pkcs8 -topk8 -nocrypt' makes of it");
      }
    }
    throw new TlsException(file + " has no private key in PEM form (-----BEGIN PRIVATE KEY-----)");
  }

  private static PrivateKey key(Path file, byte[] der) throws TlsException {
    @Nullable GeneralSecurityException problem = null;
    for (String algorithm : KEY_ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
      } catch (GeneralSecurityException e) {
        problem = e; // of another algorithm, perhaps
      }
    }
    throw new TlsException(
        file + " has a private key that cannot be read; it must be of " + KEY_ALGORITHMS, problem);
  }

  private static List<Block> blocks(Path file) throws TlsException {
    Matcher matcher = BLOCK.matcher(text(file));
    List<Block> blocks = new ArrayList<>();
    while (matcher.find()) {
      blocks.add(new Block(matcher.group(1), matcher.group(2)));
    }
    return blocks;
  }

  private static String text(Path file) throws TlsException {
    try {
      if (Files.size(file) > MAX_FILE_BYTES) {
        throw new TlsException(file + " is too large for certificates or a key");
      }
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      throw new TlsException(file + " does not exist; 'aktis tls init' makes the files of TLS", e);
    } catch (TlsException e) {
      throw e;
    } catch (IOException e) {
      throw new TlsException(file + " cannot be read: " + e, e);
    }
  }

  static String of(X509Certificate certificate) throws CertificateEncodingException {
    return block(CERTIFICATE, certificate.getEncoded());
  }

  static String of(PrivateKey key) {
    return block(PRIVATE_KEY, key.getEncoded());
  }

  private static String block(String label, byte[] der) {
    Base64.Encoder lines = Base64.getMimeEncoder(64, new byte[] {'\n'});
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(label, lines.encodeToString(der), label);
  }
}
