// The finding about a prompt, or a prompt and a reply, that the context has no room for. Pure.
import { t } from '@vscode/l10n';
import type { Finding, FoundWords, Remedy } from '../../types';
import type { Failure, RunSetting } from './diagnosis-input';
import { raiseContext, setLimit } from './remedies';
import { contextAdvice } from './server-advice';

/** A shorter reply is of no use. */
const MIN_REPLY = 256;

/** Numbers of tokens; undefined where the server names none. */
interface Sizes {
  prompt: number | undefined;
  room: number | undefined;
  /** That the reply may have. */
  output: number | undefined;
}

/** Servers count the reply in or not; where they name both, the prompt is what is left of the sum. */
function readSizes({ parts }: FoundWords): Sizes {
  const [prompt, total, output, room] = ['prompt', 'total', 'output', 'room'].map((name) =>
    parts[name] === undefined ? undefined : Number(parts[name].replaceAll(/\D/g, '')),
  );
  const rest = total !== undefined && output !== undefined ? total - output : undefined;
  return { prompt: prompt ?? rest, room, output };
}

export function overflowFinding({ words, setting, wire }: Failure): Omit<Finding, 'tab'> {
  const sizes = readSizes(words);
  const advice = contextAdvice(setting, wire?.server ?? words.server);
  const isReply = isReplyTooLong(sizes);
  return {
    cause: 'prompt-too-long',
    severity: 'error',
    what: describe(sizes),
    next: isReply ? `${t('Lower Max tokens.')} ${advice}` : advice,
    remedies: isReply ? shortenReply(sizes, setting) : lengthenContext(sizes, setting),
  };
}

const isReplyTooLong = ({ prompt, room, output }: Sizes): boolean =>
  prompt !== undefined && room !== undefined && output !== undefined && prompt < room;

function describe(sizes: Sizes): string {
  const { prompt, room, output } = sizes;
  if (isReplyTooLong(sizes)) {
    return t(
      'The prompt has {0} tokens and the reply may have {1}: the context has room for {2} in all.',
      prompt ?? 0,
      output ?? 0,
      room ?? 0,
    );
  }
  if (prompt === undefined && room === undefined) return t('The prompt is too long for the context.');
  if (room === undefined) return t('The prompt is too long for the context: it has {0} tokens.', prompt ?? 0);
  return prompt === undefined
    ? t('The prompt is too long for the context, which has room for {0} tokens.', room)
    : t('The prompt has {0} tokens, and the context has room for {1}.', prompt, room);
}

function shortenReply({ prompt = 0, room = 0 }: Sizes, setting: RunSetting): Remedy[] {
  const rest = room - prompt;
  return rest < MIN_REPLY ? [] : [setLimit(setting, rest)];
}

const lengthenContext = ({ prompt, room }: Sizes, setting: RunSetting): Remedy[] =>
  prompt === undefined ? [] : raiseContext(setting, prompt, { now: room });
