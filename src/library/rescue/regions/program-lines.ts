// Which lines can only be lines of a program, of a difference, of a shell or of a log, so that what looks like a call
// behind them is one more statement. It looks at one line at a time; knows no format.

/** Lines of programs: imports, definitions, blocks, assignments, prompts; lines of differences and of documents. */
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
  // statements that are words alone, or words with one expression
  /^(?:pass|break|continue|end|fi|done|esac)[;.]?$/,
  /^(?:return|yield|raise|throw|del|global|nonlocal|goto|assert|await)(?: new)? [\w.$]{0,60}[\w$](?:;|$|[([{]| ?[=!<>+*/]{1,2} )/,
  // calls whose result nobody wants, unless they might be meant as calls of tools
  /^(?!(?:functions?|tools?|default_api|namespace)\.)(?:[\w$]{1,40}(?:\.|::|->)){1,6}[\w$]{1,40}!?\((?!\w{1,40} ?=)[^()]{0,200}(?:\([^()]{0,80}\)[^()]{0,80})?\);?$/,
  /^[a-z_]\w{0,40}!?\([\w."'$-]{1,80}(?:, ?[\w."'$-]{1,80}){0,8}\);?$/,
  /\w\([^()]{0,200}\);$/,
  /^(?:print|printf|puts|echo|assert|require|require_relative|library|source|exit) ?["'$\d(]/,
  // assignments
  /^[$@%]?[A-Za-z_][\w.]{0,60}(?:\[[^\]\n]{1,80}\])? ?(?:[-+*/|&^%]=|:=|<-) ?\S/,
  /^(?:[$@%]\w{1,60}|\w{1,60}\[[^\]\n]{1,80}\]|\w{1,40}(?:, ?\w{1,40}){1,6}) ?= ?\S/,
  // what begins or joins lines in single languages: modules, pipes, queries, lists of calls, cases, commands
  /^(?:import ["']|export default \w|\$\(|(?:FROM \w[\w.-]{0,40}[:/]|CMD \[|ENTRYPOINT \[)|case ["'\w.]{1,40}:$|default:$)/,
  / (?:%>%|\|>) \w/,
  /^(?:\([a-z][a-z-]{1,20} ["'(\d].{0,200}\)$|[A-Z]\w{0,40}\.\w{1,40} ["']|[A-Z][a-z]{1,20}-[A-Z]\w{1,40} ["'$-]|[}\])]+ ?\w)/,
  // comments, and what another reader of a program finds in it
  /^(?:\/\/|\/\*|;;|"""|'''|<!--|-- \w|%%?[a-z]\w{1,40}|![a-z]|<\?\w|<\/?script\b|\{[{%]|\\(?:begin|end)\{)/,
  // declarations
  /^(?:public|private|protected|static|abstract|export|declare|extern|virtual|inline|pub|impl|struct|enum|interface|extension|fun|func|fn|proc|def|void|typedef|template|guard|type) \w[^.!?]{0,200}[{}()=;]/,
  /^(?:object \w{1,40} extends \w|defmodule \w[\w.]{0,60} do$|Dim \w{1,40} As \w|(?:Sub|Function) \w{1,40}\(|program \w{1,40}$|-\w{1,40}\(.{0,200}\)\.$|open [A-Z]\w{0,40}$|lambda \w)/,
  // what is typed into shells, and what comes out of them
  /^(?:sudo )?(?:ls|git|npm|npx|yarn|pnpm|pip3?|docker|kubectl|curl|wget|cargo|apt(?:-get)?|brew|mkdir|rm|cp|mv|chmod|ssh|scp|tar|make)(?: &&| [-./~$\w][^\s.!?]{0,80}){1,12}$/,
  /^(?:\[?\d{2}:\d{2}:\d{2}\b|\d{4}-\d{2}-\d{2}[T ]\d{2}:|\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b[\]:])/,
  /^(?:=> \S|(?:In|Out) ?\[\d{1,4}\]: |[a-z]{2,12}(?:\([\w:]{0,20}\))?(?::\d{1,4}:\d)?> \S|\[?[\w.-]{1,32}@[\w.-]{1,64}[:\s][^$#]{0,80}[$#] )/,
];
/** Words, some of them in quotes or brackets, and none that joins things in a program. */
const PROSE_LINE =
  /^(?:[("']?(?!(?:in|is|not|and|or|as)\b)[A-Za-z]{1,40}(?:'[a-z]{1,4})?[)"']?,? ){3,40}[("']?[A-Za-z]{1,40}(?:'[a-z]{1,4})?[)"']?[:.!?;]$/;

/** Two words and a semicolon: a clause, where a program would have a sign. */
const CLAUSE = /^(?:[A-Z][a-z]{0,20}(?: [a-z]{1,20}){0,2}|so|then|now|next);$/;

/** Most of it are words, and it is no sentence. */
const QUERY = /^(?:INSERT INTO|SELECT|UPDATE|DELETE FROM|CREATE|ALTER|DROP) .{0,200};$/;

export const isProgramLine = (line: string): boolean =>
  QUERY.test(line) ||
  (PROGRAM_LINES.some((pattern) => pattern.test(line)) && !PROSE_LINE.test(line) && !CLAUSE.test(line));

/** Closing brackets end blocks of programs and of data alike. */
export const tellsNothing = (line: string): boolean => /^[\]})]{1,8}[;,]?$/.test(line);
