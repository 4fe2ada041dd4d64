package io.aktis.cluster.driver;

import io.aktis.RuntimeEnv;
import io.aktis.RuntimeEnvException;
import io.aktis.cluster.code.CodeUnitScan;
import io.aktis.cluster.code.EnvironmentScan;
import io.aktis.runtime.port.EnvironmentFiles;
import io.aktis.wire.message.CodeFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The runtime environments of a driver's session: their files, read once. Thread-safe. */
final class Environments implements AutoCloseable {
  private final EnvironmentScan scan = new EnvironmentScan();

  /** The files of one environment. */
  record Found(List<CodeUnitScan> scans, EnvironmentFiles files) {
    List<CodeUnitScan> jars() {
      return workingDirectory().isEmpty() ? scans : scans.subList(0, scans.size() - 1);
    }

    Optional<CodeUnitScan> workingDirectory() {
      return files.workingDirectory() == null ? Optional.empty() : Optional.of(scans.getLast());
    }

    List<CodeFile> all() {
      return scans.stream().flatMap(each -> each.unit().getFilesList().stream()).toList();
    }
  }

  /**
   * Reads the files of an environment; may wait.
   *
   * @throws RuntimeEnvException when one is not there or cannot be sent
   */
  Found find(RuntimeEnv environment) {
    try {
      List<CodeUnitScan> scans = new ArrayList<>();
      List<CodeFile> jars = new ArrayList<>();
      for (Path path : environment.jars()) {
        CodeUnitScan jar = scan.jar(path);
        scans.add(jar);
        jars.addAll(jar.unit().getFilesList());
      }
      CodeFile directory = null;
      if (environment.workingDirectory().isPresent()) {
        CodeUnitScan archive = scan.workingDirectory(environment.workingDirectory().get());
        scans.add(archive);
        directory = archive.unit().getFiles(0);
      }
      return new Found(scans, new EnvironmentFiles(jars, directory));
    } catch (IOException e) {
      throw failure(e);
    }
  }

  static RuntimeEnvException failure(Throwable cause) {
    return new RuntimeEnvException(
        "The runtime environment cannot be set up: " + cause.getMessage() + ".", cause, List.of());
  }

  @Override
  public void close() {
    scan.close();
  }
}
