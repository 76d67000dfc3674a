/** Values that the browser could not store; they last until the page is left. */
const unstored = new Map<string, string>();

export function stored(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? unstored.get(key);
  } catch {
    return unstored.get(key);
  }
}

export function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    unstored.set(key, value);
  }
}

export function removeStored(key: string): void {
  unstored.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // A browser that stores nothing has nothing to remove.
  }
}
