// The measured parsers behind one interface: text → names of the calls in it. Each is loaded only when it is
// requested.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { TOOLS } from './texts.mjs';

export const PARSERS = {
  ours: async ({ dist }) => {
    const { library } = createRequire(import.meta.url)(join(dist, 'engine.js'));
    return (text) => library.rescueToolCalls(text, TOOLS).calls.map(({ name }) => name);
  },

  /** Only knows the one format that the texts use. */
  'ai-sdk': async () => {
    const { hermesProtocol } = await import('@ai-sdk-tool/parser');
    const protocol = hermesProtocol();
    const tools = TOOLS.map(({ name, description, parameters }) => ({
      type: 'function',
      name,
      description,
      inputSchema: parameters,
    }));
    return (text) =>
      protocol
        .parseGeneratedText({ text, tools, options: { onError() {} } })
        .filter(({ type }) => type === 'tool-call')
        .map(({ toolName }) => toolName);
  },

  /** Cannot find calls, so it receives the text from its first to its last bracket. */
  jsonrepair: async () => {
    const { jsonrepair } = await import('jsonrepair');
    return (text) => {
      const json = cutJson(text);
      const value = json === '' ? undefined : JSON.parse(jsonrepair(json));
      return value?.name === undefined ? [] : [value.name];
    };
  },

  /** The minimum: searches for one marker and passes the bracketed text to JSON.parse. */
  indexOf: async () => (text) => {
    const names = [];
    for (let at = text.indexOf(OPEN); at !== -1; at = text.indexOf(OPEN, at + 1)) {
      const end = text.indexOf(CLOSE, at);
      if (end === -1) break;
      names.push(JSON.parse(text.slice(at + OPEN.length, end)).name);
    }
    return names;
  },
};

const OPEN = '<tool_call>';
const CLOSE = '</tool_call>';

function cutJson(text) {
  const start = text.search(/[{[]/);
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  return start === -1 ? '' : text.slice(start, end > start ? end + 1 : undefined);
}
