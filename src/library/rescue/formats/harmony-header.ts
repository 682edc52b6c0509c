// The header of a harmony message: role, channel and recipient, between tokens that servers like to lose. It reads no
// bodies.
import type { RescueRepair } from '../../../types';
import { skipWhite } from '../text/white-space';
import type { RescueContext } from '../core/rescue-context';

export interface HarmonyHeader {
  start: number;
  bodyAt: number;
  /** '' where the header has none. */
  role: string;
  channel: string;
  /** Whom the message is for. */
  recipient?: string | undefined;
  repairs: readonly RescueRepair[];
  /** Its tokens are gone, and only its words are left. */
  isStripped: boolean;
}

const MESSAGE = '<|message|>';
const LONGEST_HEADER = 320;
const TOKENS = /<\|(?:start|channel|constrain|message)\|>/g;
const CHANNELS = /\b(analysis|commentary|final)\b/;
const RECIPIENT = /\bto=([\w.\-:/]{1,160})/;
const ROLE = /^\s*<\|start\|>\s*([\w.\-:/]{1,160})/;
/** A header to the model itself, before the one that counts. */
const DOUBLED =
  /^(?:<\|start\|>\s?assistant\s{0,4})?<\|channel\|>commentary to=assistant\s{0,4}(?=<\|(?:channel|start)\|>)/;
/** The words of a header that may stand before the recipient, run together as its tokens were between them. */
const BEFORE =
  /(?:<\|start\|>)?(?:assistant)?\s?(?:<\|channel\|>)?(?:commentary|analysis|assistant)?\s{0,4}$/i;
/** The same between the recipient and the body. */
const AFTER =
  /^\s{0,8}(?:<\|channel\|>)?\s{0,4}(commentary|analysis)?\s{0,4}(?:<\|constrain\|>)?\s{0,4}(?:json|code)?\s{0,4}(<\|message\|>)?\s{0,8}/;
const RUN_IN = /(?:commentary|analysis)?(?:json|code)?$/;

/** Null when the tokens at `at` open no message. */
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

/** The text ends in the header of a call. */
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

/** `to=NAME` without the tokens before it: `commentary to=functions.NAME json{…}`. `at` is the `=`. */
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
  // the role's own part of the header stands in the prompt, or is left out behind a message that has ended
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

/** What follows the name may have run into it as well. */
function cutRunIn({ tools }: RescueContext, written: string): string {
  if (tools.resolve(written)) return written;
  const cut = written.replace(RUN_IN, '');
  return cut !== '' && tools.resolve(cut) ? cut : written;
}
