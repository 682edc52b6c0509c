// Finds causes of a run without a reply in the server's error text. Pure.
import { t } from '@vscode/l10n';
import type { Finding } from '../../types';
import type { RunSetting } from './diagnosis-input';
import { NO_SETTING, quote } from './diagnosis-input';
import { contextAdvice, raiseContext, raiseLimit } from './remedies';

interface Cause {
  /** Matches the error text of the servers that report this cause. */
  words: RegExp;
  toFinding: (found: RegExpExecArray, setting: RunSetting) => Finding;
}

const tooLong = (asked: string, size: string, setting: RunSetting): Finding => ({
  cause: 'prompt-too-long',
  severity: 'error',
  what: t('The prompt has {0} tokens, and the context has room for {1}.', asked, size),
  next: contextAdvice(setting),
  tab: 'wire',
  remedies: raiseContext(setting, Number(asked), { now: Number(size) }),
});

const CAUSES: readonly Cause[] = [
  {
    // Ollama, for a model whose template does not support tools
    words: /does not support tools/i,
    toFinding: () => ({
      cause: 'model-without-tools',
      severity: 'error',
      what: t(
        'This model does not support tools: its template has no place for them, so the server refused the request.',
      ),
      next: t(
        'Choose a model whose capabilities include `tools` (the Connections view shows them), or describe the tools in the system prompt and offer none.',
      ),
      tab: 'wire',
    }),
  },
  {
    // llama-server, and Ollama, which runs it
    words: /request \((\d+) tokens\) exceeds the available context size \((\d+) tokens\)/i,
    toFinding: ([, asked = '', size = ''], setting) => tooLong(asked, size, setting),
  },
  {
    // OpenAI and vLLM
    words: /maximum context length is (\d+) tokens[^]*?(?:requested|resulted in|has) (?:about )?(\d+)/i,
    toFinding: ([, size = '', asked = ''], setting) => tooLong(asked, size, setting),
  },
  {
    words: /(?:tools? param requires|requires) --jinja/i,
    toFinding: () => ({
      cause: 'server-without-tools',
      severity: 'error',
      what: t(
        'This llama-server was started without support for tools: it does not use the chat template of the model.',
      ),
      next: t('Start it with `--jinja`.'),
      tab: 'wire',
    }),
  },
  {
    words: /requires --enable-auto-tool-choice/i,
    toFinding: () => ({
      cause: 'server-without-tools',
      severity: 'error',
      what: t('This vLLM was started without support for tools.'),
      next: t('Start it with `--enable-auto-tool-choice` and the `--tool-call-parser` that fits the model.'),
      tab: 'wire',
    }),
  },
  {
    // Ollama's native protocol, for a call that the token limit cut off
    words: /invalid tool call arguments for "?([^":]{1,64})"?: unexpected end of JSON/i,
    toFinding: ([, name = ''], setting) => ({
      cause: 'invalid-json',
      severity: 'error',
      what: t(
        'The call of `{0}` was cut in the middle of its arguments, and the server answered with an error.',
        name,
      ),
      next: t('Raise Max tokens, or leave it out.'),
      tab: 'wire',
      remedies: raiseLimit(setting, setting.sampling.maxTokens ?? 0),
    }),
  },
  {
    // llama-server, which restricts calls to the offered tools, and Ollama, which runs it
    words: /Unexpected empty grammar stack after accepting piece: ?\n?([^]{0,60})/,
    toFinding: () => ({
      cause: 'unknown-tool',
      severity: 'error',
      what: t(
        'The model began a call that fits none of the offered tools, and the server ended the reply there.',
      ),
      next: t('Offer the tool that the model began to call, or name the offered tools in the system prompt.'),
      tab: 'wire',
    }),
  },
  {
    words: /model ["'`]([^"'`]{1,200})["'`] (?:was )?not found/i,
    toFinding: ([, name = '']) => ({
      cause: 'no-such-model',
      severity: 'error',
      what: t('The server has no model named `{0}`.', name),
      next: t('Choose another model in the settings of the lane, or get it: `ollama pull {0}`.', name),
      tab: 'wire',
    }),
  },
];

/** @param words The error text of the server. */
export function diagnoseFailure(words: string, setting: RunSetting = NO_SETTING): Finding[] {
  return CAUSES.flatMap(({ words: pattern, toFinding }) => {
    const found = pattern.exec(words);
    if (!found) return [];
    const { remedies = [], ...finding } = toFinding(found, setting);
    return [
      {
        ...finding,
        evidence: [quote(t('answer'), found[0])],
        ...(remedies.length > 0 && { remedies }),
      },
    ];
  });
}
