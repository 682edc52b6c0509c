// What is wrong with a set of embeddings, or may be. Pure.
import type { VectorComparison, VectorShape } from '../compare-vectors';
import { countOf } from '../count-words';
import type { Finding } from '../../types';
import { isKnownChatModel } from '../model-names';

/** The worst first. Texts are named by their 1-based place. */
export function diagnoseVectors({ shapes }: VectorComparison, model: string): Finding[] {
  return [...ofNumbers(shapes), ...ofDimensions(shapes), ...ofZeros(shapes), ...ofModel(model)];
}

function ofNumbers(shapes: readonly VectorShape[]): Finding[] {
  const places = placesOf(shapes, ({ norm }) => Number.isNaN(norm));
  if (places.length === 0) return [];
  return [
    {
      severity: 'error',
      what: `The ${nameVectors(places)} something else than finite numbers, so there is no similarity.`,
      next: 'Send the text again; if it stays so, the model or its quantisation is damaged.',
    },
  ];
}

function ofDimensions(shapes: readonly VectorShape[]): Finding[] {
  const dimensions = [...new Set(shapes.map(({ dimension }) => dimension))];
  if (dimensions.length < 2) return [];
  return [
    {
      severity: 'error',
      what: `The vectors are of unequal dimension: ${dimensions.join(', ')}. Only those of the same one are compared.`,
      next: 'One model gives one dimension: the server, or a relay before it, may have answered with several models.',
    },
  ];
}

function ofZeros(shapes: readonly VectorShape[]): Finding[] {
  const places = placesOf(shapes, ({ norm }) => norm === 0);
  if (places.length === 0) return [];
  return [
    {
      severity: 'warning',
      what: `The ${nameVectors(places)} only zeros: without a direction there is no similarity.`,
      next: 'A text without a word the model knows, or a server that answers in place of the model, gives such a vector.',
    },
  ];
}

/** Modestly: no server says what a model was trained for. */
function ofModel(model: string): Finding[] {
  if (!isKnownChatModel(model)) return [];
  return [
    {
      severity: 'warning',
      what: `\`${model}\` has the name of a chat model. Such models answer with vectors, too, but those were not trained to be compared.`,
      next: 'Choose an embedding model, or judge the numbers with care. The name is all that is known.',
    },
  ];
}

function placesOf(shapes: readonly VectorShape[], isMeant: (shape: VectorShape) => boolean): number[] {
  return shapes.flatMap((shape, index) => (isMeant(shape) ? [index + 1] : []));
}

/** `vector of text 2 has`, or `vectors of 2 texts (1, 3) have`. */
function nameVectors(places: readonly number[]): string {
  return places.length === 1
    ? `vector of text ${places.join()} has`
    : `vectors of ${countOf(places.length, 'text')} (${places.join(', ')}) have`;
}
