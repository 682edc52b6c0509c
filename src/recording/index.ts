// Public interface of the recording layer: passes the requests of other programs on to a server, and shows what both sides said.
// Names neither vscode nor the DOM.
export type { EndedBy, Passage } from './passage';
export type { Recording, RecordingOptions } from './start-recording';
export { startRecording } from './start-recording';
