// Contract of the format lab, which reads a text without a connection: its document, its requests and their results.
import * as v from 'valibot';
import type { RescueReport, ToolType } from '../../types';
import { DocumentToolSchema } from '../document/document';
import { LAB_LIMIT } from './lab-limit';
import type { ErrorInfo } from '../outcome';

const Id = v.pipe(v.string(), v.minLength(1), v.maxLength(LAB_LIMIT.id));
const Text = v.pipe(v.string(), v.maxLength(LAB_LIMIT.text));
const Tools = v.pipe(
  v.array(v.pick(DocumentToolSchema, ['name', 'description', 'parameters'])),
  v.maxLength(LAB_LIMIT.tools),
  v.description('The tools whose calls are read. Default: they are guessed from the text.'),
);

/** The choices for reading a text. */
const Choices = {
  tools: v.optional(Tools),
  format: v.optional(v.pipe(Id, v.description('The only format that is read. Default: all formats.'))),
};

/** The stored state of a lab, and the content of a `*.toolcall.json`. */
export const LabDocumentSchema = v.strictObject({
  version: v.literal(1),
  text: v.pipe(Text, v.description('The text to read, as the model wrote it.')),
  ...Choices,
  writeAs: v.optional(v.pipe(Id, v.description('The format in which the found calls are written out.'))),
});
export type LabDocument = v.InferOutput<typeof LabDocumentSchema>;

const Nothing = v.strictObject({});

/** Parameters of every request of the lab, by method. */
export const LAB_PARAMS = {
  'lab/open': Nothing,
  'lab/read': v.strictObject({ text: Text, ...Choices, writeAs: v.optional(Id) }),
  /** Reads the text once with each format alone. */
  'lab/compare-formats': v.strictObject({
    text: v.pipe(v.string(), v.maxLength(LAB_LIMIT.comparedText)),
    tools: Tools,
  }),
  'lab/choose-tools': Nothing,
  'lab/open-file': Nothing,
  'lab/save': v.strictObject({ document: LabDocumentSchema }),
} satisfies Record<keyof LabResults, v.GenericSchema>;

/** Result of every request of the lab, by method. */
export interface LabResults {
  'lab/open': LabOpening;
  'lab/read': LabReading;
  /** The formats that read or reject a call. */
  'lab/compare-formats': FormatCount[];
  /** Absent when nothing was chosen. */
  'lab/choose-tools': { tools?: ToolType[] | undefined };
  'lab/open-file': null;
  'lab/save': { isSaved: boolean };
}

export type LabMethod = keyof LabResults;
export type LabParams = { [M in LabMethod]: v.InferOutput<(typeof LAB_PARAMS)[M]> };

export interface LabFormat {
  id: string;
  title: string;
  /** How servers return its calls natively: sentences, one for each server. */
  nativeHints: readonly { text: string }[];
}

export interface LabOpening {
  /** All formats, in the order in which they are tried. */
  formats: LabFormat[];
  given?: GivenDocument | undefined;
  /** Why the document with which the lab was opened could not be given. */
  problem?: ErrorInfo | undefined;
}

/** A document with which a lab is opened; it replaces the one that the page has stored. */
export interface GivenDocument {
  /** The same for the same content. A page that has taken it already keeps the changes made since. */
  id: string;
  document: LabDocument;
  /** Where the text comes from, in words. */
  from: string;
  /** Whether only the text is replaced and the chosen tools and format stay. */
  isTextOnly?: boolean | undefined;
}

export interface LabReading {
  /** With truncated lists and texts. */
  report: RescueReport;
  /** Length of the whole content, in UTF-16 code units. */
  contentLength: number;
  omittedCalls: number;
  /** Indexes of the calls in the report whose arguments have truncated lists or objects. */
  partCalls: number[];
  omittedRejected: number;
  /** The tools with which the text was read. */
  tools: ToolType[];
  /** The calls in the format of `writeAs`, or why that format cannot express them; absent when there is no call. */
  written?: { text: string } | { problem: string } | undefined;
  /** Duration of the reading alone, in milliseconds. */
  durationMs: number;
}

export interface FormatCount {
  id: string;
  calls: number;
  rejected: number;
}
