// State of the format lab, and the part of it that survives a reload. Validated by hand when it is read back.
// Pure.
import type {
  ErrorInfo,
  FormatCount,
  GivenDocument,
  LabDocument,
  LabFormat,
  LabReading,
} from '../../src/protocol';
import { LAB_LIMIT } from '../../src/protocol';
import type { TraceSpan } from '../text/trace-spans';

export interface LabState {
  readonly document: LabDocument;
  /** Id of the document that the host opened last; '' if there was none. */
  readonly givenId: string;
  /** Origin of that document; '' for typed text. */
  readonly from: string;
  /** In the order in which rescue tries them; empty until the host has answered. */
  readonly formats: readonly LabFormat[];
  /** The last reading with the text it was made from, which may be older than the typed text. */
  readonly reading?: (LabReading & { readonly text: string }) | undefined;
  /** What each format alone finds in the text of that reading. */
  readonly counts?: readonly FormatCount[] | undefined;
  /** Selecting the same span again creates a new object, which scrolls it into view again. */
  readonly selected?: { readonly span: TraceSpan } | undefined;
  readonly problem?: ErrorInfo | undefined;
  /** Announced once, such as after a copy. */
  readonly notice: string;
}

const EMPTY: LabDocument = { version: 1, text: '' };

export const initialLab = (stored: unknown): LabState => ({
  ...restore(stored),
  formats: [],
  notice: '',
});

export const toStored = ({ document, givenId, from }: LabState): unknown => ({ document, givenId, from });

/** Validates the state kept by the page, which may have been tampered with; the host validates the document again. */
function restore(stored: unknown): Pick<LabState, 'document' | 'givenId' | 'from'> {
  const { document, givenId, from } = Object(stored) as Record<string, unknown>;
  return {
    document: isDocument(document) ? document : EMPTY,
    givenId: typeof givenId === 'string' ? givenId : '',
    from: typeof from === 'string' ? from : '',
  };
}

function isDocument(value: unknown): value is LabDocument {
  const { version, text, tools = [], format = '', writeAs = '' } = Object(value) as Record<string, unknown>;
  return (
    version === 1 &&
    typeof text === 'string' &&
    text.length <= LAB_LIMIT.text &&
    Array.isArray(tools) &&
    tools.every(isTool) &&
    typeof format === 'string' &&
    typeof writeAs === 'string'
  );
}

const isTool = (tool: unknown): boolean => typeof (Object(tool) as { name?: unknown }).name === 'string';

/** Replaces the document by the one that the host opened, only once for each id. */
export function take(state: LabState, { id, document, from, isTextOnly }: GivenDocument): LabState {
  if (id === state.givenId) return state;
  const taken = isTextOnly === true ? { ...state.document, text: document.text } : document;
  return { ...state, givenId: id, from, document: taken, selected: undefined, problem: undefined };
}

export const titleOf = (formats: readonly LabFormat[], id: string): string =>
  formats.find((format) => format.id === id)?.title ?? id;

/** The previous or next format of the list, cyclically; without a current one, the last or the first. */
export function stepFormat(
  formats: readonly LabFormat[],
  id: string | undefined,
  step: 1 | -1,
): string | undefined {
  if (formats.length === 0) return undefined;
  const index = formats.findIndex((format) => format.id === id);
  const from = index === -1 && step === -1 ? 0 : index;
  return formats[(from + step + formats.length) % formats.length]?.id;
}
