// Recognizes lines that can only be part of a program, a diff, a shell session or a log, so that what looks like a call
// after them is one more statement. Looks at one line at a time; independent of formats.

/** Lines of programs (imports, definitions, blocks, assignments, prompts), of diffs and of documents. */
const PROGRAM_LINES: readonly RegExp[] = [
  /^(?:import [\w.{*](?!.*\w[.:!?]$)|from [\w.]{1,80} import )/,
  /^(?:async )?def [\w.]{1,80}.{0,200}[:{]$/,
  /^class \w{1,80} ?[({:]/,
  /^(?:for|while|with|if|elif|except)\b.{0,200}[()=<>[\]"'].{0,200}[:{]$/,
  /^(?:async )?for [\w, ]{1,80} in [\w.]{1,80}:$/,
  /^with [\w.]{1,80} as \w{1,80}:$/,
  /^(?:if|elif|while) (?:not )?[\w.]{1,80}(?: (?:and|or|is|in|not)(?: not)? [\w.]{1,80}){0,4}:$/,
  /^(?:} )?(?:else(?: if.{0,200})?|try|finally|except(?: \w{1,80}){0,3}) ?[:{]$/,
  /^(?:async )?function\b ?\*? ?[\w$]{0,80}(?:\(| \(.{0,200}[{;]$)/,
  /^(?:(?:export )?(?:const|let|var) )?[A-Za-z_][\w.]{0,60}(?:: ?\w{1,40})? = (?!(?:[A-Za-z',]{1,40} ){2,40}[A-Za-z']{1,40}[.:!?]?$)/,
  /^(?:@[\w.]{1,80}(?:\(.{0,200}\))?$|#!|>>> |\$ [A-Za-z./~](?!.*:$))/,
  /^(?:@@ -|[<>|]{7} \S|diff --git |index [\da-f]{1,40}\.\.|(?:---|\+\+\+) \S(?!.*[-+=]$))/,
  /^\.\. [\w-]{1,40}::/,
  /(?:\{|[^)\s];|[;\]] ?(?:do|then)|[^ ] =)$/,
  /^(?:begin|do \|[\w, ]{0,80}\||(?:package|module|namespace|using|use) [\w.:\\/]{1,80})$/,
  /^(?:(?:my|our|local|var|val) [$@%]?\w{1,60}(?: \w{1,60})? = |#\w{1,20} ?[<"]|\((?:def|ns|let|require)\w*\b)/,
  /^(?:cd [./~\w-]{1,200}|set [-+]\w{1,8}|export \w{1,60}=\S{0,200}|echo ["'$].{0,200})$/,
  // Statements that are only words, or words with one expression.
  /^(?:pass|break|continue|end|fi|done|esac)[;.]?$/,
  /^(?:return|yield|raise|throw|del|global|nonlocal|goto|assert|await)(?: new)? [\w.$]{0,60}[\w$](?:;|$|[([{]| ?[=!<>+*/]{1,2} )/,
  // Calls whose result is not used, unless they may be meant as tool calls.
  /^(?!(?:functions?|tools?|default_api|namespace)\.)(?:[\w$]{1,40}(?:\.|::|->)){1,6}[\w$]{1,40}!?\((?!\w{1,40} ?=)[^()]{0,200}(?:\([^()]{0,80}\)[^()]{0,80})?\);?$/,
  /^[a-z_]\w{0,40}!?\([\w."'$-]{1,80}(?:, ?[\w."'$-]{1,80}){0,8}\);?$/,
  /\w\([^()]{0,200}\);$/,
  /^(?:print|printf|puts|echo|assert|require|require_relative|library|source|exit) ?["'$\d(]/,
  // Assignments.
  /^[$@%]?[A-Za-z_][\w.]{0,60}(?:\[[^\]\n]{1,80}\])? ?(?:[-+*/|&^%]=|:=|<-) ?\S/,
  /^(?:[$@%]\w{1,60}|\w{1,60}\[[^\]\n]{1,80}\]|\w{1,40}(?:, ?\w{1,40}){1,6}) ?= ?\S/,
  // Beginnings and joints of lines in single languages: modules, pipes, queries, lists of calls, cases, commands.
  /^(?:import ["']|export default \w|\$\(|(?:FROM \w[\w.-]{0,40}[:/]|CMD \[|ENTRYPOINT \[)|case ["'\w.]{1,40}:$|default:$)/,
  / (?:%>%|\|>) \w/,
  /^(?:\([a-z][a-z-]{1,20} ["'(\d].{0,200}\)$|[A-Z]\w{0,40}\.\w{1,40} ["']|[A-Z][a-z]{1,20}-[A-Z]\w{1,40} ["'$-]|[}\])]+ ?\w)/,
  // Comments, and parts of a file that another interpreter reads, such as scripts and templates.
  /^(?:\/\/|\/\*|;;|"""|'''|<!--|-- \w|%%?[a-z]\w{1,40}|![a-z]|<\?\w|<\/?script\b|\{[{%]|\\(?:begin|end)\{)/,
  // Declarations.
  /^(?:public|private|protected|static|abstract|export|declare|extern|virtual|inline|pub|impl|struct|enum|interface|extension|fun|func|fn|proc|def|void|typedef|template|guard|type) \w[^.!?]{0,200}[{}()=;]/,
  /^(?:object \w{1,40} extends \w|defmodule \w[\w.]{0,60} do$|Dim \w{1,40} As \w|(?:Sub|Function) \w{1,40}\(|program \w{1,40}$|-\w{1,40}\(.{0,200}\)\.$|open [A-Z]\w{0,40}$|lambda \w)/,
  // Commands that are typed into shells, and their output.
  /^(?:sudo )?(?:ls|git|npm|npx|yarn|pnpm|pip3?|docker|kubectl|curl|wget|cargo|apt(?:-get)?|brew|mkdir|rm|cp|mv|chmod|ssh|scp|tar|make)(?: &&| [-./~$\w][^\s.!?]{0,80}){1,12}$/,
  /^(?:\[?\d{2}:\d{2}:\d{2}\b|\d{4}-\d{2}-\d{2}[T ]\d{2}:|\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b[\]:])/,
  /^(?:=> \S|(?:In|Out) ?\[\d{1,4}\]: |[a-z]{2,12}(?:\([\w:]{0,20}\))?(?::\d{1,4}:\d)?> \S|\[?[\w.-]{1,32}@[\w.-]{1,64}[:\s][^$#]{0,80}[$#] )/,
];
/** Only words, some of them in quotes or brackets, and none of those that join expressions in a program. */
const PROSE_LINE =
  /^(?:[("']?(?!(?:in|is|not|and|or|as)\b)[A-Za-z]{1,40}(?:'[a-z]{1,4})?[)"']?,? ){3,40}[("']?[A-Za-z]{1,40}(?:'[a-z]{1,4})?[)"']?[:.!?;]$/;

/** A clause: a few words and a semicolon, without a sign that a program would have. */
const CLAUSE = /^(?:[A-Z][a-z]{0,20}(?: [a-z]{1,20}){0,2}|so|then|now|next);$/;

/** A database query, which consists mostly of words but is not a sentence. */
const QUERY = /^(?:INSERT INTO|SELECT|UPDATE|DELETE FROM|CREATE|ALTER|DROP) .{0,200};$/;

export const isProgramLine = (line: string): boolean =>
  QUERY.test(line) ||
  (PROGRAM_LINES.some((pattern) => pattern.test(line)) && !PROSE_LINE.test(line) && !CLAUSE.test(line));

/** Whether the line has only closing brackets, which end blocks of programs and of data alike. */
export const isOnlyClosers = (line: string): boolean => /^[\]})]{1,8}[;,]?$/.test(line);
