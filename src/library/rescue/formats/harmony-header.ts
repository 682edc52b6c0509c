// Reads the header of a harmony message: role, channel and recipient, between tokens that servers often remove. Independent
// of message bodies.
import type { RescueRepair } from '../../../types';
import { skipWhite } from '../text/white-space';
import type { RescueContext } from '../core/rescue-context';

export interface HarmonyHeader {
  start: number;
  bodyAt: number;
  /** '' when the header has none; the same for the channel. */
  role: string;
  channel: string;
  /** The recipient as written, such as `functions.NAME`. */
  recipient?: string | undefined;
  repairs: readonly RescueRepair[];
  /** Whether the tokens are missing and only the words of the header are left. */
  isStripped: boolean;
}

const MESSAGE = '<|message|>';
const LONGEST_HEADER = 320;
const TOKENS = /<\|(?:start|channel|constrain|message)\|>/g;
const CHANNELS = /\b(analysis|commentary|final)\b/;
const RECIPIENT = /\bto=([\w.\-:/]{1,160})/;
const ROLE = /^\s*<\|start\|>\s*([\w.\-:/]{1,160})/;
/** A header addressed to the model itself, directly before the header that counts. */
const DOUBLED =
  /^(?:<\|start\|>\s?assistant\s{0,4})?<\|channel\|>commentary to=assistant\s{0,4}(?=<\|(?:channel|start)\|>)/;
/** What may precede the recipient in a header, as in the format's `leads`. Where tokens are missing, the words are joined. */
const BEFORE = /(?:<\|start\|>)?(?:assistant)?\s?(?:<\|channel\|>)?(?:commentary|analysis|assistant)? ?$/i;
/** What may be between the recipient and the body. */
const AFTER =
  /^\s{0,8}(?:<\|channel\|>)?\s{0,4}(commentary|analysis)?\s{0,4}(?:<\|constrain\|>)?\s{0,4}(?:json|code)?\s{0,4}(<\|message\|>)?\s{0,8}/;
const RUN_IN = /(?:commentary|analysis)?(?:json|code)?$/;

/** Reads the header at `at`; null when no message begins there. */
export function readHeader(context: RescueContext, at: number): HarmonyHeader | null {
  const { text } = context;
  const window = text.slice(at, at + LONGEST_HEADER);
  const [doubled] = DOUBLED.exec(window) ?? [];
  if (doubled !== undefined) {
    const header = readHeader(context, at + doubled.length);
    return header && { ...header, start: at };
  }
  const message = window.indexOf(MESSAGE);
  const brace = window.indexOf('{');
  const isStripped = message === -1 || (brace !== -1 && brace < message);
  const length = isStripped ? brace : message;
  if (length === -1) return readCutHeader(text, at);
  const header = window.slice(0, length);
  const words = header.replaceAll(TOKENS, ' ');
  if (words.includes('<|')) return null;
  const role = ROLE.exec(header)?.[1] ?? '';
  const channel = CHANNELS.exec(words)?.[1] ?? '';
  const recipient = RECIPIENT.exec(words)?.[1];
  const isFromFunction = role.includes('.');
  if (channel === '' && recipient === undefined && role === '') return null;
  if (isStripped && (recipient === undefined || words.includes('\n'))) return null;
  return {
    start: at,
    bodyAt: at + length + (isStripped ? 0 : MESSAGE.length),
    role,
    channel,
    recipient: isFromFunction ? undefined : recipient,
    repairs: isStripped ? [{ kind: 'stripped-special-tokens', at }] : [],
    isStripped: false,
  };
}

/** Reads the header of a call in which the text ends. */
function readCutHeader(text: string, at: number): HarmonyHeader | null {
  const isEnd = text.length - at < LONGEST_HEADER;
  const found = isEnd ? CUT_HEADER.exec(text.slice(at).replaceAll(TOKENS, ' ')) : null;
  if (!found) return null;
  const [, channel = '', recipient] = found;
  const bodyAt = text.length;
  return { start: at, bodyAt, role: '', channel, recipient, repairs: [], isStripped: false };
}

const CUT_HEADER =
  /^\s*(?:assistant)?\s*(analysis|commentary)?\s*to=([\w.\-:/]{1,160})\s*(?:json|code)?\s*(?:<[^>]{0,16})?$/;

/** Finds a header without its first tokens: `commentary to=functions.NAME json{…}`. `at` is the offset of the `=`. */
export function findAddress(context: RescueContext, at: number): HarmonyHeader | null {
  const { text, consumedTo } = context;
  if (text.charAt(at - 1) !== 'o' || text.charAt(at - 2) !== 't') return null;
  const window = text.slice(at - 2, at + LONGEST_HEADER);
  const written = RECIPIENT.exec(window);
  if (written?.index !== 0) return null;
  const recipient = cutRunIn(context, written[1] ?? '');
  const rest = AFTER.exec(window.slice(3 + recipient.length));
  const [whole = '', channel, message] = rest ?? [];
  const bodyAt = at + 1 + recipient.length + whole.length;
  if (message === undefined && text.charAt(bodyAt) !== '{') return null;
  const before = text.slice(Math.max(consumedTo, at - 2 - LONGEST_BEFORE), at - 2);
  const start = skipWhite(text, at - 2 - (BEFORE.exec(before)?.[0].length ?? 0));
  const lead = text.slice(start, at - 2).trim();
  // The part with the role may be in the prompt, or be left out after the end of another message.
  const isBare = lead === '' && message !== undefined;
  const isHeader = isBare && (skipWhite(text, 0) === start || endsMessageAt(text, start));
  if (lead === '' && channel === undefined && !isHeader) return null;
  const isWhole = isHeader || (isBare && skipWhite(text, consumedTo) >= start);
  const repairs = isWhole ? [] : [{ kind: 'stripped-special-tokens', at: start }];
  return {
    start,
    bodyAt,
    role: '',
    channel: channel ?? '',
    recipient,
    repairs,
    isStripped: message === undefined,
  };
}

const LONGEST_BEFORE = 48;
const MESSAGE_ENDED = /<\|(?:end|eom|eot|call)\|>\s{0,8}$/;
const LONGEST_END = 16;

const endsMessageAt = (text: string, at: number): boolean =>
  MESSAGE_ENDED.test(text.slice(Math.max(0, at - LONGEST_END), at));

/** Removes words that are joined to the end of the name, such as `json`, if the rest is the name of an offered tool. */
function cutRunIn({ tools }: RescueContext, written: string): string {
  if (tools.resolve(written)) return written;
  const cut = written.replace(RUN_IN, '');
  return cut !== '' && tools.resolve(cut) ? cut : written;
}
