// Public interface of the recording layer: passes the requests of other programs on to a server, and shows what both sides said.
// Names neither vscode nor the DOM.
export type { ClientKind } from './client-address';
export { clientAddress } from './client-address';
export type { Passage } from './passage';
export type { ExchangeReading } from './read-exchange';
export { readExchange } from './read-exchange';
export { repairArguments } from './repair/repair-arguments';
export type { RecordedChat } from './read-chat';
export { readChat } from './read-chat';
export { programOf, Records } from './record';
export type { ReadLines, RecordingHead } from './record-lines';
export { isHeadLine, readRecordLines, toExchangeLine, toHeadLine } from './record-lines';
export type { Recording, RecordingOptions } from './start-recording';
export { startRecording } from './start-recording';
