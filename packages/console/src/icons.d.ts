declare module 'heroicons/24/outline/*.svg' {
  /** The `d` of its path: see `scripts/icon-plugin.ts`. */
  const path: string;
  export default path;
}
