// The view of a run's wire record: which files exist, but no bodies. JSON-safe and redacted.
import type { ParameterWay, RenderedPrompt } from '../types';

/** Names of the files of one attempt. */
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
export const COPY_FORMS = [
  'bash',
  'powershell',
  'fetch',
  'python',
  'openai',
  'openai-python',
  'openai-responses',
  'openai-responses-python',
  'anthropic',
  'anthropic-python',
  'ollama',
  'provider',
] as const;
export type WireCopyForm = (typeof COPY_FORMS)[number];

/** The forms in which runs can be exported. `report` is about one run, for the developers of its server. */
export const EXPORT_FORMS = ['markdown', 'html', 'json', 'report'] as const;
export type ExportForm = (typeof EXPORT_FORMS)[number];

/** The parts by which two runs can be compared. `lane`: the present settings of their lanes. */
export const COMPARE_PARTS = ['reply', 'request', 'calls', 'lane'] as const;
export type ComparePart = (typeof COMPARE_PARTS)[number];
/** `raw`: as received. `normalised`: in a form that writes the same meaning in the same way. */
export const COMPARE_FORMS = ['raw', 'normalised'] as const;
export type CompareForm = (typeof COMPARE_FORMS)[number];

export interface WireView {
  /** In the order of the ledger; empty when nothing was sent or the wire record is no longer stored. */
  attempts: WireAttemptView[];
  copyForms: WireCopyForm[];
  /** What is different in the last request because its back end has no form for it; sentences. */
  changed?: string[] | undefined;
  /** Sampling parameters of the last request; absent when nothing was sent. */
  parameters?: ParameterWay[] | undefined;
}

/** The request whose prompt is asked for: that of a run, or without one what the lane would send now. */
export interface PromptPlace {
  laneId: string;
  runId?: string | undefined;
}

/** A rendered prompt: its whole text, or the beginning and the end of a long one. */
export interface PromptView extends Omit<RenderedPrompt, 'text'> {
  head: string;
  /** '' when `head` is the whole text. */
  tail: string;
  /** Length of the whole text, in UTF-16 code units. */
  length: number;
  /** Present when the server counts the tokens of a prompt, but does not show its text. */
  isCountOnly?: true | undefined;
}

export interface WireAttemptView {
  /** Name of the attempt's folder, such as `attempt-2`. */
  name: string;
  method: string;
  /** At most 2,000 UTF-16 code units. */
  url: string;
  /** Present when nothing went over HTTP: there is no status, no header and no finish reason. */
  isWithoutHttp?: true | undefined;
  requestBytes: number;
  /** Absent when no response was received. */
  response?: WireResponseView | undefined;
  files: WireFileName[];
}

export interface WireResponseView {
  /** Absent without HTTP. */
  status?: number | undefined;
  /** Size of the stored body, in bytes. */
  bytes: number;
  /** Kind of the body, judged by its content and not by its type; `binary` is not valid UTF-8. */
  kind: 'empty' | 'json' | 'events' | 'lines' | 'html' | 'text' | 'binary';
  /** At most 200 UTF-16 code units; '' when the response had no content type. */
  contentType: string;
  /** Whether the response was received to its end. */
  isComplete: boolean;
  /** Number of bytes that were received and not stored. */
  omittedBytes: number;
}
