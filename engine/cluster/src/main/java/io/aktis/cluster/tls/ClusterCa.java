package io.aktis.cluster.tls;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The CA of a cluster, and the certificates that it signs. The CA is a certificate {@code ca.pem}
 * and a key {@code ca-key.pem}; the key is needed to make more certificates only, and belongs on no
 * node. Stateless; for whoever sets up a cluster.
 */
public final class ClusterCa {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterCa.class);

  /** The name of the file with the key of the CA. */
  public static final String CA_KEY = "ca-key.pem";

  /** How long a CA is valid. */
  public static final Duration CA_VALIDITY = Duration.ofDays(3_650);

  /** How long a certificate is valid unless said otherwise. */
  public static final Duration NODE_VALIDITY = Duration.ofDays(365);

  private ClusterCa() {}

  /** Makes a CA and a first certificate of {@link #NODE_VALIDITY}. */
  public static TlsFiles init(Path directory, List<String> hosts) throws TlsException {
    return init(directory, hosts, NODE_VALIDITY);
  }

  /**
   * Makes a CA and a first certificate: ca.pem, ca-key.pem, node.pem and node-key.pem. That
   * certificate may serve all nodes and drivers; {@link #issue} makes others.
   *
   * @param directory where they go; made if it is not there
   * @param hosts names and addresses that other programs may reach the node at; Aktis itself does
   *     not need them
   * @param validity how long the certificate is valid, from now on; that of the CA is {@link
   *     #CA_VALIDITY}
   * @return the files for a node
   * @throws TlsException when one of the files exists, or cannot be written; nothing is made then
   * @throws IllegalArgumentException for a host that is neither a name nor an address, or a
   *     validity that is not positive
   */
  public static TlsFiles init(Path directory, List<String> hosts, Duration validity)
      throws TlsException {
    List<String> checked = CertificateMaker.checkHosts(hosts);
    checkValidity(validity);
    makeDirectory(directory);
    TlsFiles files = TlsFiles.in(directory);
    List<Path> all = new ArrayList<>(files.all());
    all.add(directory.resolve(CA_KEY));
    for (Path file : all) {
      if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        throw existsAlready(file, null);
      }
    }
    KeyPair pair = CertificateMaker.newKey();
    X509Certificate ca = CertificateMaker.authority(pair, CA_VALIDITY);
    create(directory.resolve(CA_KEY), Pem.of(pair.getPrivate())); // by one of several calls at once
    boolean made = false;
    try {
      create(files.ca(), pem(ca));
      issue(directory, directory, checked, validity);
      made = true;
      return files;
    } finally {
      if (!made) {
        delete(all);
      }
    }
  }

  /**
   * Deletes what a call that failed has made, so that the next one finds nothing. What cannot be
   * deleted stays, and the next call names it.
   */
  private static void delete(List<Path> files) {
    for (Path file : files) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        LOG.warn("{} cannot be deleted: {}", file, e.toString());
      }
    }
  }

  private static void checkValidity(Duration validity) {
    if (!validity.isPositive()) {
      throw new IllegalArgumentException(
          "a certificate must be valid for some time, not " + validity);
    }
  }

  /**
   * Makes a certificate, or a new one in place of one that is there: a process that uses it takes
   * the new one for its next connection.
   *
   * @param caDirectory where ca.pem and ca-key.pem are
   * @param directory where ca.pem, node.pem and node-key.pem go; made if it is not there
   * @param hosts as for {@link #init}
   * @param validity how long it is valid, from now on; never longer than the CA
   * @return the files for a node
   * @throws TlsException when the CA cannot be used, the directory has files of another CA, or a
   *     file cannot be written
   * @throws IllegalArgumentException for a host that is neither a name nor an address, or a
   *     validity that is not positive
   */
  public static TlsFiles issue(
      Path caDirectory, Path directory, List<String> hosts, Duration validity) throws TlsException {
    List<String> checked = CertificateMaker.checkHosts(hosts);
    checkValidity(validity);
    X509Certificate ca = Pem.certificates(caDirectory.resolve(TlsFiles.CA)).getFirst();
    PrivateKey caKey = Pem.key(caDirectory.resolve(CA_KEY));
    TlsIdentity.checkFits(caDirectory.resolve(TlsFiles.CA), ca, caDirectory.resolve(CA_KEY), caKey);
    makeDirectory(directory);
    TlsFiles files = TlsFiles.in(directory);
    if (Files.exists(files.ca())) {
      if (!Pem.certificates(files.ca()).contains(ca)) {
        throw new TlsException(
            files.ca()
                + " is another CA than that of "
                + caDirectory
                + "; choose another directory");
      }
    } else {
      create(files.ca(), pem(ca));
    }
    KeyPair pair = CertificateMaker.newKey();
    X509Certificate own =
        CertificateMaker.node(pair.getPublic(), names(checked), validity, ca, caKey);
    replace(files, Pem.of(pair.getPrivate()), pem(own));
    return files;
  }

  /** Puts a new pair in place; both are written before one of the former is gone. */
  private static void replace(TlsFiles files, String key, String certificate) throws TlsException {
    Path newKey = draft(files.key(), key);
    Path newCertificate = null;
    try {
      newCertificate = draft(files.certificate(), certificate);
    } finally {
      if (newCertificate == null) {
        delete(List.of(newKey));
      }
    }
    move(newKey, files.key());
    move(newCertificate, files.certificate());
  }

  private static List<String> names(List<String> hosts) {
    List<String> names = new ArrayList<>(hosts);
    names.add(ClusterTls.NODE_NAME);
    return names;
  }

  private static String pem(X509Certificate certificate) {
    try {
      return Pem.of(certificate);
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate of our own cannot be encoded", e);
    }
  }

  private static void makeDirectory(Path directory) throws TlsException {
    try {
      if (!Files.isDirectory(directory)) {
        Files.createDirectories(directory, attributes(directory, "rwx------"));
      }
    } catch (IOException e) {
      throw new TlsException("the directory " + directory + " cannot be made: " + e, e);
    }
  }

  private static FileAttribute<?>[] attributes(Path path, String permissions) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  /** Writes a file that only its owner may read, from its first byte on. */
  private static void create(Path file, String text) throws TlsException {
    try {
      Files.createFile(file, attributes(file, "rw-------"));
    } catch (FileAlreadyExistsException e) {
      throw existsAlready(file, e);
    } catch (IOException e) {
      throw new TlsException(file + " cannot be written: " + e, e);
    }
    try {
      Files.writeString(file, text, StandardOpenOption.WRITE);
    } catch (IOException e) {
      delete(List.of(file)); // half a file is worse than none
      throw new TlsException(file + " cannot be written: " + e, e);
    }
  }

  private static TlsException existsAlready(Path file, @Nullable Throwable cause) {
    return new TlsException(file + " exists already; it is not overwritten", cause);
  }

  private static Path draft(Path file, String text) throws TlsException {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.deleteIfExists(draft); // of an earlier call that was broken off
    } catch (IOException e) {
      throw new TlsException(file + " cannot be written: " + e, e);
    }
    create(draft, text);
    return draft;
  }

  private static void move(Path draft, Path file) throws TlsException {
    try {
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new TlsException(file + " cannot be written: " + e, e);
    }
  }
}
