// The words that a person reads about a run: all of them, and those of ours alone, without what the server said.
import type { Shown } from './ask-session';

export function wordsOf({ findings, error }: Shown): string[] {
  return [
    ...(error ? [`${error.title} ${error.what} ${error.why} ${error.next}`] : []),
    ...findings.map(({ what, next = '', evidence = [] }) =>
      [what, next, ...evidence.map(({ quote }) => quote)].join(' '),
    ),
  ];
}

/** @param said The bodies of the server. What is quoted of them is no advice. */
export function adviceOf({ findings, error }: Shown, said: readonly string[]): string[] {
  const quoted = said.flatMap(textsIn).toSorted((one, other) => other.length - one.length);
  const ours = (text: string): string =>
    quoted.reduce((rest, one) => rest.replaceAll(one, '…'), text.replace(SAID, ''));
  const join = (texts: readonly string[]): string => texts.map(ours).join(' ').replace(/\s+/g, ' ').trim();
  return [
    ...(error ? [join([error.what, error.why, error.next])] : []),
    ...findings.map(({ what, next = '' }) => join([what, next])),
  ];
}

/** A quotation up to its end, which may be cut. */
const SAID = /The server says: [^]*$/;
/** Shorter texts are names and numbers, which everybody may use. */
const SHORTEST = 10;

/** The texts in a body that may be quoted: of a document, of the events of a stream, or the body itself. */
function textsIn(body: string): string[] {
  const lines = body.split('\n').map((line) => line.replace(/^data: ?/, ''));
  const documents = [body, ...lines].flatMap((text) => stringsIn(parse(text)));
  return [...documents, body]
    .map((text) => text.replace(/[.\s]+$/, ''))
    .filter((text) => text.length >= SHORTEST && /[^\w-]/.test(text));
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string')
    return [value, ...stringsIn(/^\s*[[{]/.test(value) ? parse(value) : undefined)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
