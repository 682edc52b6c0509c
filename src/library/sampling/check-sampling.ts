// Rejects sampling parameters of the wrong type before anything is sent.
import type { SamplingParams } from '../../types';
import { InvalidOptionsError } from '../errors';
import { checkNumber, checkRecord } from '../util/check-options';

/** Checks types only; the server checks ranges. @throws InvalidOptionsError with the name of the field */
export function checkSampling(sampling: SamplingParams | undefined): void {
  checkRecord('sampling', sampling);
  const { stop, ...numbers } = sampling ?? {};
  for (const [name, value] of Object.entries(numbers)) checkNumber(`sampling.${name}`, value);
  if (stop === undefined || (Array.isArray(stop) && stop.every((entry) => typeof entry === 'string'))) return;
  throw new InvalidOptionsError('sampling.stop', 'must be a list of texts');
}
