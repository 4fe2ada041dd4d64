package io.aktis.cluster.rpc;

import com.google.protobuf.Message;
import io.aktis.wire.message.Chunk;
import io.aktis.wire.message.ClusterChange;
import io.aktis.wire.message.CodeChunk;
import io.aktis.wire.message.CodeFile;
import io.aktis.wire.message.CodePut;
import io.aktis.wire.message.CodeUnit;
import io.aktis.wire.message.CollectReply;
import io.aktis.wire.message.CollectRequest;
import io.aktis.wire.message.DataTicket;
import io.aktis.wire.message.GetJob;
import io.aktis.wire.message.HealthReply;
import io.aktis.wire.message.HealthRequest;
import io.aktis.wire.message.JobEntry;
import io.aktis.wire.message.JobList;
import io.aktis.wire.message.JobLogPart;
import io.aktis.wire.message.ListJobs;
import io.aktis.wire.message.MemoryReply;
import io.aktis.wire.message.MemoryRequest;
import io.aktis.wire.message.NodeToOwner;
import io.aktis.wire.message.NodeToWorker;
import io.aktis.wire.message.OpenDataRequest;
import io.aktis.wire.message.OwnerToNode;
import io.aktis.wire.message.OwnerToWorkerBatch;
import io.aktis.wire.message.ReadJobLog;
import io.aktis.wire.message.ReadRequest;
import io.aktis.wire.message.RouteReply;
import io.aktis.wire.message.RouteRequest;
import io.aktis.wire.message.StatusReply;
import io.aktis.wire.message.StatusRequest;
import io.aktis.wire.message.StopJobs;
import io.aktis.wire.message.StopReply;
import io.aktis.wire.message.StopRequest;
import io.aktis.wire.message.StoreReply;
import io.aktis.wire.message.StoreRequest;
import io.aktis.wire.message.SubmitJob;
import io.aktis.wire.message.WatchRequest;
import io.aktis.wire.message.WhyReply;
import io.aktis.wire.message.WhyRequest;
import io.aktis.wire.message.WorkerToNode;
import io.aktis.wire.message.WorkerToOwnerBatch;
import io.aktis.wire.message.WriteReply;
import io.aktis.wire.message.WriteRequest;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.protobuf.ProtoUtils;

/**
 * The methods of the protocol, as the services in {@code engine/wire/src/main/proto} define them.
 * Written by hand, for the generator of stubs is a native program that is not to be had everywhere.
 */
public final class Methods {
  /** Name of the service of workers. */
  public static final String WORKER = "aktis.v1.Worker";

  /** Name of the service of node daemons. */
  public static final String NODE = "aktis.v1.Node";

  /** Name of the service that people use. */
  public static final String CONTROL = "aktis.v1.Control";

  /** Name of the service that tells what is in the stores. */
  public static final String MEMORY = "aktis.v1.Memory";

  /** Name of the service of submitted programs. */
  public static final String JOBS = "aktis.v1.Jobs";

  /** An owner works with a worker. */
  public static final MethodDescriptor<OwnerToWorkerBatch, WorkerToOwnerBatch> WORK =
      method(
          MethodType.BIDI_STREAMING,
          WORKER,
          "Work",
          OwnerToWorkerBatch.getDefaultInstance(),
          WorkerToOwnerBatch.getDefaultInstance());

  /** An owner leases resources of a node. */
  public static final MethodDescriptor<OwnerToNode, NodeToOwner> OWN =
      method(
          MethodType.BIDI_STREAMING,
          NODE,
          "Own",
          OwnerToNode.getDefaultInstance(),
          NodeToOwner.getDefaultInstance());

  /** A worker process serves on a node. */
  public static final MethodDescriptor<WorkerToNode, NodeToWorker> SERVE =
      method(
          MethodType.BIDI_STREAMING,
          NODE,
          "Serve",
          WorkerToNode.getDefaultInstance(),
          NodeToWorker.getDefaultInstance());

  /** A process of the machine uses the store of a node. */
  public static final MethodDescriptor<StoreRequest, StoreReply> USE_STORE =
      method(
          MethodType.BIDI_STREAMING,
          NODE,
          "UseStore",
          StoreRequest.getDefaultInstance(),
          StoreReply.getDefaultInstance());

  /** Reads an object from afar. */
  public static final MethodDescriptor<ReadRequest, Chunk> READ =
      method(
          MethodType.SERVER_STREAMING,
          NODE,
          "Read",
          ReadRequest.getDefaultInstance(),
          Chunk.getDefaultInstance());

  /** Lets the caller read an object over a plain connection. */
  public static final MethodDescriptor<OpenDataRequest, DataTicket> OPEN_DATA =
      method(
          MethodType.UNARY,
          NODE,
          "OpenData",
          OpenDataRequest.getDefaultInstance(),
          DataTicket.getDefaultInstance());

  /** Tells from whom to read an object. */
  public static final MethodDescriptor<RouteRequest, RouteReply> ROUTE =
      method(
          MethodType.BIDI_STREAMING,
          NODE,
          "Route",
          RouteRequest.getDefaultInstance(),
          RouteReply.getDefaultInstance());

  /** Makes an object from afar. */
  public static final MethodDescriptor<WriteRequest, WriteReply> WRITE =
      method(
          MethodType.CLIENT_STREAMING,
          NODE,
          "Write",
          WriteRequest.getDefaultInstance(),
          WriteReply.getDefaultInstance());

  /** Asks which files of code a node lacks. */
  public static final MethodDescriptor<CodeUnit, CodeUnit> LACKS_CODE =
      method(
          MethodType.UNARY,
          NODE,
          "LacksCode",
          CodeUnit.getDefaultInstance(),
          CodeUnit.getDefaultInstance());

  /** Sends a file of code. */
  public static final MethodDescriptor<CodeChunk, CodePut> PUT_CODE =
      method(
          MethodType.CLIENT_STREAMING,
          NODE,
          "PutCode",
          CodeChunk.getDefaultInstance(),
          CodePut.getDefaultInstance());

  /** Gets a file of code. */
  public static final MethodDescriptor<CodeFile, Chunk> READ_CODE =
      method(
          MethodType.SERVER_STREAMING,
          NODE,
          "ReadCode",
          CodeFile.getDefaultInstance(),
          Chunk.getDefaultInstance());

  /** Follows the nodes of the cluster. */
  public static final MethodDescriptor<WatchRequest, ClusterChange> WATCH =
      method(
          MethodType.SERVER_STREAMING,
          CONTROL,
          "Watch",
          WatchRequest.getDefaultInstance(),
          ClusterChange.getDefaultInstance());

  /** Asks how the cluster is. */
  public static final MethodDescriptor<StatusRequest, StatusReply> STATUS =
      method(
          MethodType.UNARY,
          CONTROL,
          "Status",
          StatusRequest.getDefaultInstance(),
          StatusReply.getDefaultInstance());

  /** Asks why something is not done yet. */
  public static final MethodDescriptor<WhyRequest, WhyReply> WHY =
      method(
          MethodType.UNARY,
          CONTROL,
          "Why",
          WhyRequest.getDefaultInstance(),
          WhyReply.getDefaultInstance());

  /** Asks whether a daemon is ready. */
  public static final MethodDescriptor<HealthRequest, HealthReply> HEALTH =
      method(
          MethodType.UNARY,
          CONTROL,
          "Health",
          HealthRequest.getDefaultInstance(),
          HealthReply.getDefaultInstance());

  /** Ends a daemon. */
  public static final MethodDescriptor<StopRequest, StopReply> STOP =
      method(
          MethodType.UNARY,
          CONTROL,
          "Stop",
          StopRequest.getDefaultInstance(),
          StopReply.getDefaultInstance());

  /** Asks what is in the stores. */
  public static final MethodDescriptor<MemoryRequest, MemoryReply> DESCRIBE_MEMORY =
      method(
          MethodType.UNARY,
          MEMORY,
          "Describe",
          MemoryRequest.getDefaultInstance(),
          MemoryReply.getDefaultInstance());

  /** Has garbage collected. */
  public static final MethodDescriptor<CollectRequest, CollectReply> COLLECT =
      method(
          MethodType.UNARY,
          MEMORY,
          "Collect",
          CollectRequest.getDefaultInstance(),
          CollectReply.getDefaultInstance());

  /** Submits a program. */
  public static final MethodDescriptor<SubmitJob, JobEntry> SUBMIT_JOB =
      method(
          MethodType.UNARY,
          JOBS,
          "Submit",
          SubmitJob.getDefaultInstance(),
          JobEntry.getDefaultInstance());

  /** Asks which jobs there are. */
  public static final MethodDescriptor<ListJobs, JobList> LIST_JOBS =
      method(
          MethodType.UNARY,
          JOBS,
          "List",
          ListJobs.getDefaultInstance(),
          JobList.getDefaultInstance());

  /** Asks how a job is. */
  public static final MethodDescriptor<GetJob, JobEntry> GET_JOB =
      method(
          MethodType.UNARY,
          JOBS,
          "Get",
          GetJob.getDefaultInstance(),
          JobEntry.getDefaultInstance());

  /** Ends jobs. */
  public static final MethodDescriptor<StopJobs, JobList> STOP_JOBS =
      method(
          MethodType.UNARY,
          JOBS,
          "Stop",
          StopJobs.getDefaultInstance(),
          JobList.getDefaultInstance());

  /** Reads what a job prints. */
  public static final MethodDescriptor<ReadJobLog, JobLogPart> READ_JOB_LOG =
      method(
          MethodType.UNARY,
          JOBS,
          "ReadLog",
          ReadJobLog.getDefaultInstance(),
          JobLogPart.getDefaultInstance());

  private Methods() {}

  private static <Q extends Message, A extends Message> MethodDescriptor<Q, A> method(
      MethodType type, String service, String name, Q question, A answer) {
    return MethodDescriptor.newBuilder(
            ProtoUtils.marshaller(question), ProtoUtils.marshaller(answer))
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(service, name))
        .setSampledToLocalTracing(false)
        .build();
  }
}
