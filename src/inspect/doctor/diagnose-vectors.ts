// Findings about a set of embedding vectors. Pure.
import { t } from '@vscode/l10n';
import type { VectorComparison, VectorShape } from '../compare-vectors';
import type { Finding } from '../../types';
import { isKnownChatModel } from '../model-names';

/** The worst finding first. Texts are named by their position, starting at 1. */
export function diagnoseVectors({ shapes }: VectorComparison, model: string): Finding[] {
  return [
    ...invalidNumberFindings(shapes),
    ...dimensionFindings(shapes),
    ...zeroVectorFindings(shapes),
    ...modelFindings(model),
  ];
}

function invalidNumberFindings(shapes: readonly VectorShape[]): Finding[] {
  const places = placesOf(shapes, ({ norm }) => Number.isNaN(norm));
  if (places.length === 0) return [];
  return [
    {
      severity: 'error',
      what:
        places.length === 1
          ? t(
              'The vector of text {0} contains values that are not finite numbers, so it has no similarity.',
              places.join(),
            )
          : t(
              'The vectors of {0} texts ({1}) contain values that are not finite numbers, so they have no similarity.',
              places.length,
              places.join(', '),
            ),
      next: t('Send the text again; if the result is the same, the model or its quantization is damaged.'),
    },
  ];
}

function dimensionFindings(shapes: readonly VectorShape[]): Finding[] {
  const dimensions = [...new Set(shapes.map(({ dimension }) => dimension))];
  if (dimensions.length < 2) return [];
  return [
    {
      severity: 'error',
      what: t(
        'The vectors have different dimensions: {0}. Only vectors of the same dimension are compared.',
        dimensions.join(', '),
      ),
      next: t(
        'One model gives one dimension: the server, or a relay in front of it, may have answered with several models.',
      ),
    },
  ];
}

function zeroVectorFindings(shapes: readonly VectorShape[]): Finding[] {
  const places = placesOf(shapes, ({ norm }) => norm === 0);
  if (places.length === 0) return [];
  return [
    {
      severity: 'warning',
      what:
        places.length === 1
          ? t(
              'The vector of text {0} has only zeros: it has no direction, so it has no similarity.',
              places.join(),
            )
          : t(
              'The vectors of {0} texts ({1}) have only zeros: they have no direction, so they have no similarity.',
              places.length,
              places.join(', '),
            ),
      next: t(
        'This happens when the model knows no word of the text, or when a server answers instead of the model.',
      ),
    },
  ];
}

/** Only a warning, because no server reports what a model was trained for. */
function modelFindings(model: string): Finding[] {
  if (!isKnownChatModel(model)) return [];
  return [
    {
      severity: 'warning',
      what: t(
        '`{0}` has the name of a chat model. Chat models also return vectors, but these were not trained to be compared.',
        model,
      ),
      next: t(
        'Choose an embedding model, or judge the numbers with care. This finding is based on the name only.',
      ),
    },
  ];
}

function placesOf(shapes: readonly VectorShape[], isMatch: (shape: VectorShape) => boolean): number[] {
  return shapes.flatMap((shape, index) => (isMatch(shape) ? [index + 1] : []));
}
