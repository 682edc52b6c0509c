// Findings about a run that brought no reply, from the server's own words. Pure.
import type { Diagnosis } from './diagnose';

interface Cause {
  /** In the words of the servers that say so. */
  words: RegExp;
  toFinding: (found: RegExpExecArray) => Diagnosis;
}

const CAUSES: readonly Cause[] = [
  {
    // Ollama, of a model whose template has no place for tools
    words: /does not support tools/i,
    toFinding: () => ({
      severity: 'error',
      what: 'This model takes no tools: its template has no place for them, so the server refused the request.',
      next: 'Choose a model whose capabilities name `tools` (the Connections view tells them), or describe the tools in the system prompt and offer none.',
      tab: 'wire',
    }),
  },
  {
    // llama-server, and Ollama that runs it
    words: /request \((\d+) tokens\) exceeds the available context size \((\d+) tokens\)/i,
    toFinding: ([, asked = '', size = '']) => ({
      severity: 'error',
      what: `The prompt has ${asked} tokens, and the context has room for ${size}.`,
      next: 'Raise Context size, start the server with a larger one (`-c` of llama-server), or send less.',
      tab: 'wire',
    }),
  },
];

/** @param words What the server said. */
export function diagnoseFailure(words: string): Diagnosis[] {
  return CAUSES.flatMap((cause) => {
    const found = cause.words.exec(words);
    return found ? [cause.toFinding(found)] : [];
  });
}
