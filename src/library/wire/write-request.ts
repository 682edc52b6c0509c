// Serialises the finished body. Pure.
import { mendTexts } from './well-formed';
import type { MergedInput, WireRequest } from './wire-shapes';

/** JSON escapes a lone surrogate, and no other character whose escape begins like this. */
const HALF = '\\ud';

/** Replaces lone surrogates in all texts of the body; the paths of these texts are added to `replaced`. */
export function writeRequest({ body, replaced, ...rest }: MergedInput): WireRequest {
  const isStream = body['stream'] === true;
  const json = JSON.stringify(body);
  if (!json.includes(HALF)) return { json, isStream, ...rest, replaced };
  const places = [...replaced];
  return { json: JSON.stringify(mendTexts(body, '', places)), isStream, ...rest, replaced: places };
}
