// The format lab: a text, read without any connection. What is kept of one, what its page may ask, and what it is answered.
import * as v from 'valibot';
import type { RescueReport, ToolType } from '../types';
import { DocumentToolSchema } from './document';
import { LAB_LIMIT } from './lab-limit';
import type { ErrorInfo } from './view-models';

const Id = v.pipe(v.string(), v.minLength(1), v.maxLength(LAB_LIMIT.id));
const Text = v.pipe(v.string(), v.maxLength(LAB_LIMIT.text));
const Tools = v.pipe(
  v.array(v.pick(DocumentToolSchema, ['name', 'description', 'parameters'])),
  v.maxLength(LAB_LIMIT.tools),
);

/** How a text is to be read. */
const Choices = {
  /** Absent: guessed from the text. */
  tools: v.optional(Tools),
  /** Of one format. Absent: all of them. */
  format: v.optional(Id),
};

/** What is kept of a lab, and what a `*.toolcall.json` holds. */
export const LabDocumentSchema = v.strictObject({
  version: v.literal(1),
  text: Text,
  ...Choices,
  /** The format that the calls are written in. */
  writeAs: v.optional(Id),
});
export type LabDocument = v.InferOutput<typeof LabDocumentSchema>;

const Nothing = v.strictObject({});

/** The parameters of every request of the lab, by method. */
export const LAB_PARAMS = {
  'lab/open': Nothing,
  'lab/read': v.strictObject({ text: Text, ...Choices, writeAs: v.optional(Id) }),
  /** The text once in each format alone. */
  'lab/compare-formats': v.strictObject({
    text: v.pipe(v.string(), v.maxLength(LAB_LIMIT.comparedText)),
    tools: Tools,
  }),
  'lab/choose-tools': Nothing,
  'lab/open-file': Nothing,
  'lab/save': v.strictObject({ document: LabDocumentSchema }),
} satisfies Record<keyof LabResults, v.GenericSchema>;

/** What each of them is answered with. */
export interface LabResults {
  'lab/open': LabOpening;
  'lab/read': LabReading;
  /** Those that read a call or refuse one. */
  'lab/compare-formats': FormatCount[];
  /** Absent: nothing was chosen. */
  'lab/choose-tools': { tools?: ToolType[] | undefined };
  'lab/open-file': null;
  'lab/save': { isSaved: boolean };
}

export type LabMethod = keyof LabResults;
export type LabParams = { [M in LabMethod]: v.InferOutput<(typeof LAB_PARAMS)[M]> };

export interface LabFormat {
  id: string;
  title: string;
  /** How a server would parse it itself; a sentence. */
  nativeHint?: string | undefined;
}

export interface LabOpening {
  /** In the order in which they are asked. */
  formats: LabFormat[];
  given?: GivenDocument | undefined;
  /** Why there is nothing given where there should be. */
  problem?: ErrorInfo | undefined;
}

/** What a lab is opened with, in place of what its page keeps. */
export interface GivenDocument {
  /** The same for the same content, so that a page which has taken it keeps what was changed since. */
  id: string;
  document: LabDocument;
  /** Where the text is from, in words. */
  from: string;
  /** The tools and the format that are chosen stay as they are. */
  isTextOnly?: boolean | undefined;
}

export interface LabReading {
  /** Its lists and texts are bounded. */
  report: RescueReport;
  /** Of the whole content. */
  contentLength: number;
  omittedCalls: number;
  omittedRejected: number;
  /** Those that it was read with. */
  tools: ToolType[];
  /** The calls in the format of `writeAs`, or why that has no way to say them; absent where there is no call. */
  written?: { text: string } | { problem: string } | undefined;
  /** Of the reading itself, in milliseconds. */
  durationMs: number;
}

export interface FormatCount {
  id: string;
  calls: number;
  rejected: number;
}
