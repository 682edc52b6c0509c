// The public interface of rescue, for programs that only read replies. Nothing behind it needs Node, so it also works in
// browsers and their workers.
export { rescueToolCalls } from './rescue-tool-calls';
export type { RescueOptions } from './decide/scan-reply';
export { RescueScanner } from './stream/rescue-scanner';
export type { ScannerResult } from './stream/rescue-scanner';
export { formatToolCalls } from './format-tool-calls';
export type { WritableCall } from './format-tool-calls';
export { findMarkup } from './find-markup';
export type { FoundMarkup } from './find-markup';
export { nearestTools } from './nearest-tools';
export { checkArguments } from './schema/check-arguments';
export { rescueFormatInfo, rescueFormats } from './format-info';
export { parser } from './parser';
export { normalizeToolCallEnvelope } from './json-calls/envelope';
export type {
  JsonSchema,
  ProviderToolCall,
  RescueEvidence,
  RescueRejection,
  RescueRepair,
  RescueReport,
  RescuedCall,
  ToolType,
} from '../../types';
