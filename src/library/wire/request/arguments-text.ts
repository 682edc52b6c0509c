// Writes the arguments of a call as JSON text, for the protocols that have them so. Pure.
import { toArgumentsObject, toJsonText } from '../reply/tool-arguments';
import { mendTexts } from './well-formed';

/**
 * The arguments as JSON text of an object, without lone surrogates: llama-server and Ollama refuse a history with anything
 * else. Arguments that are such a text already are sent unchanged.
 * @param replaced Receives the paths of values that were replaced.
 */
export function writeArguments(args: unknown, place: string, replaced: string[]): string {
  const object = toArgumentsObject(args);
  if (!object) {
    replaced.push(place);
    return '{}';
  }
  const mended = mendTexts(object, place, replaced);
  return typeof args === 'string' && args.trim() !== '' && mended === object ? args : toJsonText(mended);
}
