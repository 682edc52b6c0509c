// What a front end is told of what went over the wire in a run: which files there are, never a body. JSON-safe and redacted.
import type { ParameterWay } from '../types';

/** The files of one attempt. */
export const WIRE_FILES = [
  'request.http',
  'request.json',
  'response.json',
  'response.raw',
  'response.events',
  'headers.txt',
] as const;
export type WireFileName = (typeof WIRE_FILES)[number];

/** The forms in which the last request can be copied. */
export const COPY_FORMS = ['bash', 'powershell', 'fetch', 'python', 'openai', 'ollama', 'provider'] as const;
export type WireCopyForm = (typeof COPY_FORMS)[number];

/** How runs can be exported; `report` is of one run, for the people who make its server. */
export const EXPORT_FORMS = ['markdown', 'html', 'json', 'report'] as const;
export type ExportForm = (typeof EXPORT_FORMS)[number];

/** What two runs are compared by; `lane`: the settings of their lanes as they are now. */
export const COMPARE_PARTS = ['reply', 'request', 'calls', 'lane'] as const;
export type ComparePart = (typeof COMPARE_PARTS)[number];
/** As it came, or in a form in which what means the same is written the same. */
export const COMPARE_FORMS = ['raw', 'normalised'] as const;
export type CompareForm = (typeof COMPARE_FORMS)[number];

export interface WireView {
  /** In their order, as the ledger has them; none when nothing was sent, or it is not kept any more. */
  attempts: WireAttemptView[];
  copyForms: WireCopyForm[];
  /** Of the last request; absent when nothing was sent. */
  parameters?: ParameterWay[] | undefined;
}

export interface WireAttemptView {
  /** Of its folder, such as `attempt-2`. */
  name: string;
  method: string;
  /** At most 2,000 characters. */
  url: string;
  requestBytes: number;
  /** Absent when no answer came. */
  response?: WireResponseView | undefined;
  files: WireFileName[];
}

export interface WireResponseView {
  status: number;
  /** Of what is kept. */
  bytes: number;
  /** What the body is, whatever its type says; `binary` is no UTF-8. */
  kind: 'empty' | 'json' | 'events' | 'lines' | 'html' | 'text' | 'binary';
  /** At most 200 characters; '' when there was none. */
  contentType: string;
  /** Whether it came to its end. */
  isComplete: boolean;
  /** Bytes that came and are not kept. */
  omittedBytes: number;
}
