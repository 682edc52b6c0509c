// Public interface of recordings in the session: stores what other programs asked, and reads it back.
export { compareRecorded, createReadingHandlers, readingTexts } from './recorded-readings';
export type { RowStart } from './recorded-row';
export { toRow, toRowStart } from './recorded-row';
export type { RecordedServer } from './recorded-run';
export { clientResponse, clientWire, toRecordedView } from './recorded-view';
export type { BookOptions, StoredExchanges } from './recording-book';
export { RecordingBook } from './recording-book';
export { toHar } from './to-har';
