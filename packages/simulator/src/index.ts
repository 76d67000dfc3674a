export type { SimulatorOptions } from './app.ts';
export type { Bill, BilledCall, BillSum, ProjectBill } from './bill.ts';
export type { SimulatorClock } from './clock.ts';
export { projectIdOf } from './ids.ts';
export type {
  AnswerFormat,
  ModelMessage,
  ModelRequest,
  OfferedTool,
  StreamRequest,
  Surface,
  ToolCallText,
  ToolChoice,
} from './model-request.ts';
export { type SimulatorModel, simulatorModels, type TokenPrices } from './models.ts';
export type {
  Answer,
  AnswerFault,
  Failure,
  FinishReason,
  ModelCall,
  Outcome,
  RawReply,
  Rejection,
  Script,
  Silence,
  StatedUsage,
} from './outcome.ts';
export type { PlatformErrorParts } from './platform-error.ts';
export type { Project } from './projects.ts';
export { type ServedSimulator, type ServeOptions, serveSimulator } from './serve.ts';
export { createSimulator, type Simulator } from './simulator.ts';
export type { StreamPlan, StreamStop } from './stream/plan.ts';
export type { RejectionShape } from './surfaces/rejections.ts';
export type { OtherWords } from './surfaces/reported-otherwise.ts';
export type { TokenCounts } from './usage.ts';
export type { SocketFault } from './wire.ts';
