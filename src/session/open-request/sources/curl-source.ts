// Reads a cURL command, as shells have it, as browsers copy it, and as we copy it. Executes nothing.
import { t } from '@vscode/l10n';
import { parseJson } from '../../../library';
import type { FoundRequest, RequestSource, SourceText } from '../found-request';
import { UnreadRequest } from '../found-request';
import { bashCommands } from '../texts/bash-words';
import { cmdWords } from '../texts/cmd-words';
import { readCurl } from '../texts/curl-arguments';
import { looseBody } from '../texts/loose-body';
import { powerShellCurl } from '../texts/powershell-text';
import { withReplies } from './log-source';

const PROMPT =
  /(?:[$>%#][ \t]+|PS [^\n>]{0,200}>[ \t]*|[A-Z]:\\[^\n>]{0,200}>[ \t]*)?curl(?:\.exe)?[ \t\\^`]/;
/** At the beginning of a line, also behind a prompt. */
const AT_START = new RegExp(`^[ \\t]*${PROMPT.source}`, 'm');
/** Behind a pipe or another command; code and JSON may have that in a text. */
const BEHIND = new RegExp(`[|;&][ \\t]*${PROMPT.source}`);
/** Where the first command begins: prose before it may have quotes of its own. */
const FIRST = /^[ \t]*(?:[$>%#][ \t]+)?(?:\w+=[^\s;]*[ \t;]+)*(?:curl|printf|echo|cat)\b/m;
const NAME = /(?:^|[\\/])curl(?:\.exe)?$/;

export const CURL_SOURCE: RequestSource = {
  id: 'curl',
  title: () => t('cURL command'),
  reads: ({ text, json }) => {
    if (json !== undefined) return 0;
    if (AT_START.test(text)) return 3;
    if (!BEHIND.test(text)) return 0;
    return FIRST.test(text) ? 3 : 1;
  },
  read: readCommands,
};

function readCommands({ text }: SourceText): FoundRequest[] {
  const found = isPowerShell(text)
    ? powerShellCurl(text)
    : isCmd(text)
      ? [readCurl(cmdWords(text.slice(startOf(text))).slice(1))]
      : bashRequests(text);
  const [only] = found;
  const read = only && found.length === 1 ? [withBody(only, text)] : found;
  const requests = read.filter(({ body }) => body.trim() !== '');
  if (requests.length > 0) return withReplies(requests, text);
  throw new UnreadRequest(
    t('The command sends no body, so it is no request to a model.'),
    t('Copy the command of the request that has the messages.'),
  );
}

/** Some commands have a body that a shell would not read so: the Python of a log, or an apostrophe within apostrophes. */
function withBody(request: FoundRequest, text: string): FoundRequest {
  if (parseJson(request.body) !== undefined) return request;
  const body = looseBody(text.slice(startOf(text)));
  return body === undefined
    ? request
    : { ...request, method: request.method === 'GET' ? 'POST' : (request.method ?? 'POST'), body };
}

const startOf = (text: string): number => text.search(/curl(?:\.exe)?[ \t\\^`]/);

/** A variable that is assigned before, a prompt, or a backtick at the end of the first line. */
const isPowerShell = (text: string): boolean =>
  /^[ \t]*(?:\$\w+[ \t]*=|PS [^\n>]{0,200}>)/m.test(text.slice(0, startOf(text))) ||
  /\$\{?env:|`[ \t]*$/i.test(firstLine(text));

/** A caret at the end of the first line, or before a quote, or its prompt; quotes alone say nothing. */
const isCmd = (text: string): boolean =>
  /[ \t]\^"|\^[ \t]*$/.test(firstLine(text)) || /^[A-Z]:\\[^\n>]{0,200}>/.test(text);

const firstLine = (text: string): string => /^[^\r\n]*/.exec(text.slice(startOf(text)))?.[0] ?? '';

function bashRequests(text: string): FoundRequest[] {
  return bashCommands(text.slice(Math.max(0, text.search(FIRST)))).flatMap(({ words, input }) => {
    // Before it may stand a prompt, or variables that are set for the command.
    const at = words.findIndex((word) => NAME.test(word));
    if (at < 0 || !words.slice(0, at).every((word) => /^(?:[$>%#]|\w+=.*|sudo|time|exec)$/s.test(word)))
      return [];
    return [readCurl(words.slice(at + 1), { input })];
  });
}
