// What helps with a server: an option of one server is no advice for another. Pure.
import { t } from '@vscode/l10n';
import type { ServerName } from '../../types';
import type { RunSetting } from './diagnosis-input';

/** Whether the back end has a key for the context size. True when it is not known. */
export const hasContextSize = ({ keys }: RunSetting): boolean => keys['numCtx'] !== null;

/** What to do about a context that is too small. @param server Who answered; undefined when that is not known. */
export function contextAdvice(setting: RunSetting, server?: ServerName): string {
  const { otherSide } = setting;
  if (hasContextSize(setting)) return t('Raise Context size, or send less.');
  if (otherSide) {
    return server === 'ollama'
      ? t(
          'This is the `/v1` side of Ollama, which ignores the context size: use the connection {0}, which can set Context size, or send less.',
          otherSide.label,
        )
      : t('Use the connection {0}, which can set Context size, or send less.', otherSide.label);
  }
  switch (server) {
    case 'ollama':
      return t(
        'This is the `/v1` side of Ollama, which ignores the context size: use a connection of its own protocol and set Context size, start Ollama with a larger `OLLAMA_CONTEXT_LENGTH`, or send less.',
      );
    case 'llama-server':
      return t('Start the server with a larger context (`-c` of llama-server), or send less.');
    case 'vllm':
      return t('Start vLLM with a larger `--max-model-len`, or send less.');
    case 'sglang':
      return t('Start SGLang with a larger `--context-length`, or send less.');
    case 'lm-studio':
      return t('Load the model in LM Studio with a larger context length, or send less.');
    case 'tabbyapi':
      return t('Raise `max_seq_len` in the configuration of TabbyAPI, or send less.');
    case 'tgi':
      return t('Start the server with larger `--max-input-tokens` and `--max-total-tokens`, or send less.');
    case 'service':
      return t('Send less: a shorter conversation, or fewer tools. Or choose a model with a larger context.');
    case undefined:
      return t(
        'Send less: a shorter conversation, or fewer tools. Or use a model, or a server, with a larger context.',
      );
  }
}
