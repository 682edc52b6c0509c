// Types of imports that the bundler turns into modules.
declare module '*.svg' {
  const text: string;
  export { text as default };
}
declare module '*.css';
/** The part of the Markdown parser that the panel uses. */
declare module 'markdown-it' {
  export interface MarkdownToken {
    type: string;
    /** The HTML element that is meant; '' for a text. */
    tag: string;
    /** 1 opens an element, -1 closes it, 0 is complete. */
    nesting: -1 | 0 | 1;
    content: string;
    children: MarkdownToken[] | null;
    /** Whether a paragraph is only the content of a list item. */
    hidden: boolean;
    attrGet: (name: string) => string | null;
  }
  export default class MarkdownIt {
    constructor(preset: 'default', options: { html: boolean; linkify: boolean; typographer: boolean });
    enable(rule: string): this;
    disable(rule: string): this;
    parse(text: string, environment: object): MarkdownToken[];
  }
}
