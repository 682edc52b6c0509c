// Types of imports that the bundler turns into modules.
declare module '*.svg' {
  const text: string;
  export { text as default };
}
declare module '*.css';
