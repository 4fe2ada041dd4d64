package io.aktis.core.resource;

import io.aktis.core.invariant.Invariant;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Amounts of CPU, GPU, memory and custom resources: what a node has, what of it is free, or what a
 * piece of work needs.
 *
 * <p>Amounts are fixed-point numbers in steps of 1/10,000 (memory: bytes), so sums are exact
 * however often fractions come and go. CPUs are a sum and not slots: two tasks of 0.7 leave 0.6 of
 * two. An amount of zero and an absent name are the same.
 *
 * <p>Immutable and safe for any thread. Where only CPU is involved, which is nearly always, no
 * method looks at more than a few longs.
 */
public final class Resources {
  /** How many fixed-point units make one CPU, GPU or custom resource. */
  public static final long UNITS_PER_ONE = 10_000;

  /** The most memory that a node may have: 1 PiB. */
  public static final long MAX_MEMORY_BYTES = 1L << 50;

  private static final String[] NO_NAMES = {};
  private static final long[] NO_AMOUNTS = {};

  /** Nothing of anything. */
  public static final Resources NONE = new Resources(0, 0, 0, NO_NAMES, NO_AMOUNTS);

  /** One CPU: what a task needs if it does not say otherwise. */
  public static final Resources ONE_CPU = ofCpuUnits(UNITS_PER_ONE);

  private final long cpu;
  private final long gpu;
  private final long memory;

  /** Sorted; without duplicates. */
  private final String[] names;

  /** Beside {@link #names}; none is zero. */
  private final long[] amounts;

  /** Zero until asked for; racing threads compute the same. */
  private int hash;

  private Resources(long cpu, long gpu, long memory, String[] names, long[] amounts) {
    this.cpu = cpu;
    this.gpu = gpu;
    this.memory = memory;
    this.names = names;
    this.amounts = amounts;
  }

  /**
   * Returns CPUs alone.
   *
   * @throws IllegalArgumentException when negative, absurd or finer than 0.0001
   */
  public static Resources cpus(double cpus) {
    return ofCpuUnits(Amount.units("cpus", cpus));
  }

  /**
   * Returns the given amounts.
   *
   * @param gpus a fraction below 1 or a whole number
   * @param custom amounts by name
   * @throws IllegalArgumentException naming what is wrong and what is allowed
   */
  public static Resources of(
      double cpus, double gpus, long memoryBytes, Map<String, Double> custom) {
    Resources result =
        new Resources(
            Amount.units("cpus", cpus),
            Amount.wholeGpuUnits(gpus),
            Amount.bytes(memoryBytes),
            NO_NAMES,
            NO_AMOUNTS);
    for (Map.Entry<String, Double> entry : new TreeMap<>(custom).entrySet()) {
      result = result.with(entry.getKey(), entry.getValue());
    }
    return result;
  }

  /**
   * Returns the amounts in fixed-point units, as they travel between processes.
   *
   * @param customUnits units by name; zeros are left out
   * @throws IllegalArgumentException when an amount is negative
   */
  public static Resources ofUnits(
      long cpuUnits, long gpuUnits, long memoryBytes, SortedMap<String, Long> customUnits) {
    if (cpuUnits < 0 || gpuUnits < 0 || memoryBytes < 0) {
      throw new IllegalArgumentException("amounts of resources must not be negative");
    }
    if (customUnits.isEmpty()) {
      return make(cpuUnits, gpuUnits, memoryBytes, NO_NAMES, NO_AMOUNTS, 0);
    }
    String[] names = new String[customUnits.size()];
    long[] amounts = new long[names.length];
    int count = 0;
    for (Map.Entry<String, Long> entry : new TreeMap<>(customUnits).entrySet()) {
      long units = entry.getValue();
      if (units < 0) {
        throw new IllegalArgumentException(entry.getKey() + " must not be negative");
      }
      names[count] = Amount.name(entry.getKey());
      amounts[count] = units;
      count += units == 0 ? 0 : 1;
    }
    return make(cpuUnits, gpuUnits, memoryBytes, names, amounts, count);
  }

  private static Resources ofCpuUnits(long units) {
    return units == 0 ? NONE : new Resources(units, 0, 0, NO_NAMES, NO_AMOUNTS);
  }

  private static Resources make(
      long cpu, long gpu, long memory, String[] names, long[] amounts, int count) {
    if (count == 0) {
      return (gpu | memory) == 0
          ? ofCpuUnits(cpu)
          : new Resources(cpu, gpu, memory, NO_NAMES, NO_AMOUNTS);
    }
    boolean full = count == names.length;
    return new Resources(
        cpu,
        gpu,
        memory,
        full ? names : Arrays.copyOf(names, count),
        full ? amounts : Arrays.copyOf(amounts, count));
  }

  /** Returns these with {@code cpus} in place of the CPUs. */
  public Resources withCpus(double cpus) {
    return new Resources(Amount.units("cpus", cpus), gpu, memory, names, amounts);
  }

  /**
   * Returns these with {@code gpus}, a fraction below 1 or a whole number, in place of the GPUs.
   */
  public Resources withGpus(double gpus) {
    return new Resources(cpu, Amount.wholeGpuUnits(gpus), memory, names, amounts);
  }

  /** Returns these with {@code bytes} in place of the memory. */
  public Resources withMemory(long bytes) {
    return new Resources(cpu, gpu, Amount.bytes(bytes), names, amounts);
  }

  /** Returns these with {@code amount} of the custom resource {@code name}. */
  public Resources with(String name, double amount) {
    SortedMap<String, Long> all = customUnits();
    all.put(Amount.name(name), Amount.units(name, amount));
    return ofUnits(cpu, gpu, memory, all);
  }

  /** Returns these with so many fixed-point units of CPU in place of the CPUs. */
  public Resources withCpuUnits(long units) {
    Invariant.check(units >= 0, "resources never become negative", units);
    return units == cpu ? this : make(units, gpu, memory, names, amounts, names.length);
  }

  /** Returns the CPUs alone. */
  public Resources cpuPart() {
    return isCpuOnly() ? this : ofCpuUnits(cpu);
  }

  /** Returns all but the CPUs. */
  public Resources withoutCpu() {
    return cpu == 0 ? this : make(0, gpu, memory, names, amounts, names.length);
  }

  /** Tells whether nothing but CPU, or nothing at all, is in these. */
  public boolean isCpuOnly() {
    return (gpu | memory) == 0 && names.length == 0;
  }

  /** Tells whether all amounts are zero. */
  public boolean isZero() {
    return cpu == 0 && isCpuOnly();
  }

  /** Tells whether {@code available} has at least these amounts of everything. */
  public boolean fitsIn(Resources available) {
    if (cpu > available.cpu) {
      return false;
    }
    return isCpuOnly() || restFitsIn(available);
  }

  private boolean restFitsIn(Resources available) {
    if (gpu > available.gpu || memory > available.memory) {
      return false;
    }
    int there = 0;
    for (int i = 0; i < names.length; i++) {
      while (there < available.names.length && available.names[there].compareTo(names[i]) < 0) {
        there++;
      }
      if (there == available.names.length
          || !available.names[there].equals(names[i])
          || available.amounts[there] < amounts[i]) {
        return false;
      }
    }
    return true;
  }

  /** Returns the sums of both. */
  public Resources plus(Resources other) {
    if (isCpuOnly() && other.isCpuOnly()) {
      return ofCpuUnits(Math.addExact(cpu, other.cpu));
    }
    return combine(other, 1);
  }

  /**
   * Returns what is left without {@code other}.
   *
   * @throws io.aktis.core.invariant.BrokenInvariantError when there is less than that
   */
  public Resources minus(Resources other) {
    Invariant.check(other.fitsIn(this), "resources never become negative", other);
    if (isCpuOnly() && other.isCpuOnly()) {
      return ofCpuUnits(cpu - other.cpu);
    }
    return combine(other, -1);
  }

  /** Returns what of these is lacking in {@code available}; {@link #NONE} when they fit. */
  public Resources lackingIn(Resources available) {
    if (fitsIn(available)) {
      return NONE;
    }
    long[] lacking = new long[names.length];
    String[] lackingNames = new String[names.length];
    int count = 0;
    for (int i = 0; i < names.length; i++) {
      long missing = amounts[i] - available.customUnits(names[i]);
      if (missing > 0) {
        lackingNames[count] = names[i];
        lacking[count++] = missing;
      }
    }
    return make(
        Math.max(0, cpu - available.cpu),
        Math.max(0, gpu - available.gpu),
        Math.max(0, memory - available.memory),
        lackingNames,
        lacking,
        count);
  }

  /** Returns these {@code times} over. */
  public Resources scaled(long times) {
    if (times < 0) {
      throw new IllegalArgumentException("times is " + times + "; allowed are 0 and more");
    }
    if (times == 0) {
      return NONE;
    }
    long[] scaled = new long[amounts.length];
    for (int i = 0; i < scaled.length; i++) {
      scaled[i] = Math.multiplyExact(amounts[i], times);
    }
    return make(
        Math.multiplyExact(cpu, times),
        Math.multiplyExact(gpu, times),
        Math.multiplyExact(memory, times),
        names,
        scaled,
        scaled.length);
  }

  /**
   * Returns the largest share that these are of {@code total}, over all that is in these: 0 for
   * nothing, 1 for all of something. What {@code total} does not have at all counts as infinite.
   */
  public double largestShareOf(Resources total) {
    double share = Math.max(share(cpu, total.cpu), share(gpu, total.gpu));
    share = Math.max(share, share(memory, total.memory));
    for (int i = 0; i < names.length; i++) {
      share = Math.max(share, share(amounts[i], total.customUnits(names[i])));
    }
    return share;
  }

  private static double share(long part, long whole) {
    return part == 0 ? 0 : whole == 0 ? Double.POSITIVE_INFINITY : (double) part / whole;
  }

  /** Merges the two sorted lists of custom names; zeros vanish. */
  private Resources combine(Resources other, int sign) {
    String[] mergedNames = new String[names.length + other.names.length];
    long[] merged = new long[mergedNames.length];
    int count = 0;
    int mine = 0;
    int theirs = 0;
    while (mine < names.length || theirs < other.names.length) {
      int order = compareNames(mine, other, theirs);
      long sum = order <= 0 ? amounts[mine] : 0;
      sum = order >= 0 ? Math.addExact(sum, sign * other.amounts[theirs]) : sum;
      mergedNames[count] = order <= 0 ? names[mine] : other.names[theirs];
      merged[count] = sum;
      count += sum == 0 ? 0 : 1;
      mine += order <= 0 ? 1 : 0;
      theirs += order >= 0 ? 1 : 0;
    }
    return make(
        Math.addExact(cpu, sign * other.cpu),
        Math.addExact(gpu, sign * other.gpu),
        Math.addExact(memory, sign * other.memory),
        mergedNames,
        merged,
        count);
  }

  private int compareNames(int mine, Resources other, int theirs) {
    if (mine == names.length) {
      return 1;
    }
    return theirs == other.names.length ? -1 : names[mine].compareTo(other.names[theirs]);
  }

  /** Returns the number of CPUs. */
  public double cpus() {
    return cpu / (double) UNITS_PER_ONE;
  }

  /** Returns the number of GPUs. */
  public double gpus() {
    return gpu / (double) UNITS_PER_ONE;
  }

  /** Returns the amount of the custom resource {@code name}, 0 if there is none. */
  public double custom(String name) {
    return customUnits(name) / (double) UNITS_PER_ONE;
  }

  /** Returns the memory in bytes. */
  public long memoryBytes() {
    return memory;
  }

  /** Returns the CPUs in fixed-point units. */
  public long cpuUnits() {
    return cpu;
  }

  /** Returns the GPUs in fixed-point units. */
  public long gpuUnits() {
    return gpu;
  }

  /** Returns the units of the custom resource {@code name}, 0 if there is none. */
  public long customUnits(String name) {
    int index = names.length == 0 ? -1 : Arrays.binarySearch(names, name);
    return index < 0 ? 0 : amounts[index];
  }

  /** Returns a fresh map of the custom resources in fixed-point units. */
  public SortedMap<String, Long> customUnits() {
    SortedMap<String, Long> map = new TreeMap<>();
    for (int i = 0; i < names.length; i++) {
      map.put(names[i], amounts[i]);
    }
    return map;
  }

  /** Returns the custom resources by name. */
  public SortedMap<String, Double> customs() {
    SortedMap<String, Double> map = new TreeMap<>();
    for (int i = 0; i < names.length; i++) {
      map.put(names[i], amounts[i] / (double) UNITS_PER_ONE);
    }
    return Collections.unmodifiableSortedMap(map);
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof Resources that
            && cpu == that.cpu
            && gpu == that.gpu
            && memory == that.memory
            && Arrays.equals(amounts, that.amounts)
            && Arrays.equals(names, that.names);
  }

  @Override
  public int hashCode() {
    int known = hash;
    if (known == 0) {
      known = Long.hashCode(cpu) * 31 + Long.hashCode(gpu);
      known = (known * 31 + Long.hashCode(memory)) * 31 + Arrays.hashCode(names);
      known = known * 31 + Arrays.hashCode(amounts);
      hash = known;
    }
    return known;
  }

  /** Returns for example {@code {cpu: 1.5, memory: 2 GiB, "tpu": 4}}. */
  @Override
  public String toString() {
    StringBuilder out = new StringBuilder("{");
    if (cpu != 0) {
      out.append("cpu: ").append(Amount.print(cpu)).append(", ");
    }
    if (gpu != 0) {
      out.append("gpu: ").append(Amount.print(gpu)).append(", ");
    }
    if (memory != 0) {
      out.append("memory: ").append(Amount.printBytes(memory)).append(", ");
    }
    for (int i = 0; i < names.length; i++) {
      out.append('"').append(names[i]).append("\": ").append(Amount.print(amounts[i])).append(", ");
    }
    out.setLength(Math.max(1, out.length() - 2));
    return out.append('}').toString();
  }
}
