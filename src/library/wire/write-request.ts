// The finished body → the text that goes over the wire. Pure.
import { mendTexts } from './well-formed';
import type { MergedInput, WireRequest } from './wire-shapes';

/** JSON writes half a surrogate pair as an escape, and no other character that begins so. */
const HALF = '\\ud';

/** Every text of the body in a form that a server takes; the places of those that were mended are told in `replaced`. */
export function writeRequest({ body, replaced, ...told }: MergedInput): WireRequest {
  const isStream = body['stream'] === true;
  const json = JSON.stringify(body);
  if (!json.includes(HALF)) return { json, isStream, ...told, replaced };
  const places = [...replaced];
  return { json: JSON.stringify(mendTexts(body, '', places)), isStream, ...told, replaced: places };
}
