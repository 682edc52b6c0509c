// What the bundler makes of imports that are not TypeScript.
declare module '*.svg' {
  const text: string;
  export { text as default };
}
declare module '*.css';
