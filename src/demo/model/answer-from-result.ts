// Turns tool results into the answer of a scripted model. Pure, independent of protocols.
import type { PendingResult } from './conversation';
import { isJsonObject } from '../wire/json-value';
import type { JsonObject } from '../wire/json-value';

/** One sentence for each result: `It is −2 °C in Oslo, with snow.` for weather, otherwise the text of the result. */
export function answerFromResults(results: readonly PendingResult[]): string {
  return results.map((result) => (result.isError ? describeError(result) : describeResult(result))).join(' ');
}

/** One line for each result, with every field by name and with its exact value. */
export function quoteResults(results: readonly PendingResult[]): string {
  return results.map((result) => (result.isError ? describeError(result) : quoteFields(result))).join('\n');
}

function describeError(result: PendingResult): string {
  return `The tool ${result.toolName} failed: ${result.content}`;
}

function describeResult(result: PendingResult): string {
  const fields = parseObject(result.content);
  const weather = fields && describeWeather(fields, result.arguments);
  return weather ?? `The tool ${result.toolName} answered: ${result.content}`;
}

function quoteFields(result: PendingResult): string {
  const fields = Object.entries(parseObject(result.content) ?? {});
  if (fields.length === 0) return `The tool ${result.toolName} answered: ${result.content}`;
  const quoted = fields.map(([name, value]) => `${name} is ${JSON.stringify(value)}`);
  return `The tool ${result.toolName} answered: ${quoted.join(', ')}.`;
}

function describeWeather(fields: JsonObject, args: unknown): string | undefined {
  const celsius = fields['temp_c'] ?? fields['temperature_c'];
  const fahrenheit = fields['temp_f'] ?? fields['temperature_f'];
  const degrees = celsius ?? fahrenheit;
  if (typeof degrees !== 'number') return undefined;
  const unit = celsius === undefined ? '°F' : '°C';
  const city = fields['city'] ?? (isJsonObject(args) ? args['city'] : undefined);
  const place = typeof city === 'string' && city !== '' ? ` in ${city}` : '';
  const sky = fields['sky'] ?? fields['condition'] ?? fields['conditions'];
  const withSky = typeof sky === 'string' && sky !== '' ? `, with ${sky}` : '';
  return `It is ${String(degrees).replace('-', '−')} ${unit}${place}${withSky}.`;
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
