// Sentences with marked pieces, from a text with placeholders. Pure.
import type { Sentence, SentencePart } from '../../types';

/**
 * Fills values into a text whose `**marks**` make pieces strong and whose backticks make them code.
 * Only marks of the text count: a model may have a name with asterisks.
 * @param values A sentence is put in with its own marks, but not within marks
 */
export function fillSentence(text: string, ...values: readonly (string | number | Sentence)[]): Sentence {
  const parts = text.split(/(\*\*.+?\*\*|`.+?`|\{\d+\})/).flatMap((piece): Sentence => {
    if (piece.startsWith('**')) return [{ text: fillText(piece.slice(2, -2), values), mark: 'strong' }];
    if (piece.startsWith('`')) return [{ text: fillText(piece.slice(1, -1), values), mark: 'code' }];
    const value = values[Number(/^\{(\d+)\}$/.exec(piece)?.[1])];
    return typeof value === 'object' ? value : [{ text: fillText(piece, values) }];
  });
  return parts.reduce<SentencePart[]>(join, []);
}

const fillText = (text: string, values: readonly unknown[]): string =>
  text.replaceAll(/\{(\d+)\}/g, (_, index: string) => String(values[Number(index)]));

/** Neighbours without marks become one piece. */
function join(parts: SentencePart[], part: SentencePart): SentencePart[] {
  const last = parts.at(-1);
  if (last && !last.mark && !part.mark) parts[parts.length - 1] = { text: last.text + part.text };
  else if (part.text !== '') parts.push(part);
  return parts;
}
