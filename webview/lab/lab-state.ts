// What the format lab draws, and what of it is kept over a reload. Checked by hand when it is read back. Pure.
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
  /** Of what the host gave last; '' for what was typed. */
  readonly givenId: string;
  /** Where that is from; '' for what was typed. */
  readonly from: string;
  /** In the order in which they are asked; none before the host has answered. */
  readonly formats: readonly LabFormat[];
  /** The last one, with the text that was read: what is typed may be ahead of it. */
  readonly reading?: (LabReading & { readonly text: string }) | undefined;
  /** Each format alone, of that reading. */
  readonly counts?: readonly FormatCount[] | undefined;
  /** The same span selected anew is another object, and comes into view again. */
  readonly selected?: { readonly span: TraceSpan } | undefined;
  readonly problem?: ErrorInfo | undefined;
  /** Said once, such as after a copy. */
  readonly notice: string;
}

const EMPTY: LabDocument = { version: 1, text: '' };

export const initialLab = (stored: unknown): LabState => ({
  ...restore(stored),
  formats: [],
  notice: '',
});

export const toStored = ({ document, givenId, from }: LabState): unknown => ({ document, givenId, from });

/** What a page kept is what somebody may have changed; the host checks it once more when it reads it. */
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

/** What is given takes the place of what is there, but once. */
export function take(state: LabState, { id, document, from, isTextOnly }: GivenDocument): LabState {
  if (id === state.givenId) return state;
  const taken = isTextOnly === true ? { ...state.document, text: document.text } : document;
  return { ...state, givenId: id, from, document: taken, selected: undefined, problem: undefined };
}

export const titleOf = (formats: readonly LabFormat[], id: string): string =>
  formats.find((format) => format.id === id)?.title ?? id;

/** The one before or after it in the list, round and round; from none to the first or the last. */
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
