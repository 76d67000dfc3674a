export type { SimulatorOptions } from './app.ts';
export type { Bill, BilledCall, BillSum, ProjectBill } from './bill.ts';
export type { SimulatorClock } from './lib/clock.ts';
export { projectIdOf } from './lib/ids.ts';
export type { PlatformErrorParts } from './lib/platform-error.ts';
export type { SocketFault } from './lib/wire.ts';
export type {
  AnswerFormat,
  ModelMessage,
  ModelRequest,
  OfferedTool,
  StreamRequest,
  Surface,
  ToolCallText,
  ToolChoice,
} from './model/model-request.ts';
export { type SimulatorModel, simulatorModels, type TokenPrices } from './model/models.ts';
export type {
  Answer,
  AnswerFault,
  Failure,
  FinishReason,
  ModelCall,
  Outcome,
  RawReply,
  Rejection,
  ReportedUsage,
  Script,
  Silence,
} from './model/outcome.ts';
export type { RejectionShape } from './model/rejections.ts';
export type { OtherWords } from './model/reported-otherwise.ts';
export type { StreamPlan, StreamStop } from './model/stream-plan.ts';
export type { TokenCounts } from './model/usage.ts';
export type { Project } from './projects.ts';
export { type ServedSimulator, type ServeOptions, serveSimulator } from './serve.ts';
export { createSimulator, type Simulator } from './simulator.ts';
