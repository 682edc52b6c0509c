// What people should know about a format: its title and how to get its calls natively. Independent of parsing.
import type { ServerName } from '../../types';
import { RESCUE_FORMATS } from './formats/index';

/** What people should know about a format. */
export interface RescueFormatInfo {
  /** Stable id, such as `hermes-json`. */
  id: string;
  /** Name for people. */
  title: string;
  /** How to get its calls natively: one for each server that can return them so; empty when none is known. */
  nativeHints: readonly NativeHint[];
}

export interface NativeHint {
  /** The server that is started so; absent when the sentence is about the model, or about several servers. */
  server?: ServerName;
  /** A sentence. */
  text: string;
}

/** Information about all formats, in the order in which they are tried. */
export const rescueFormats = (): RescueFormatInfo[] => RESCUE_FORMATS.map(toInfo);

/** Information about one format; undefined for an unknown id. */
export function rescueFormatInfo(id: string): RescueFormatInfo | undefined {
  const format = RESCUE_FORMATS.find((item) => item.id === id);
  return format && toInfo(format);
}

function toInfo({
  id,
  title,
  vllmParser,
  sglangParser,
  nativeHint,
}: (typeof RESCUE_FORMATS)[number]): RescueFormatInfo {
  const nativeHints: NativeHint[] = [];
  if (vllmParser !== undefined) {
    const text = `vLLM: start it with \`--enable-auto-tool-choice --tool-call-parser ${vllmParser}\`.`;
    nativeHints.push({ server: 'vllm', text });
  }
  if (sglangParser !== undefined)
    nativeHints.push({
      server: 'sglang',
      text: `SGLang: start it with \`--tool-call-parser ${sglangParser}\`.`,
    });
  if (nativeHints.length > 0) {
    // It derives its parser from the template.
    const text = 'llama-server: start it with `--jinja` and the chat template of the model.';
    nativeHints.push({ server: 'llama-server', text });
  }
  if (nativeHint !== undefined) nativeHints.push({ text: nativeHint });
  return { id, title, nativeHints };
}
