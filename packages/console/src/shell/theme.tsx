import { useState } from 'preact/hooks';
import { en } from '../en.ts';
import { ChoiceField } from '../parts/fields.tsx';

/** The only things that are kept in the browser. */
const themeKey = 'theme';
const keysKey = 'keys';

/** Puts the chosen theme in force; the system's where none was chosen. */
export function applyTheme(): void {
  const theme = kept(themeKey);
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

/** Chooses the theme. */
export function ThemeChoice() {
  const [theme, setTheme] = useState(kept(themeKey) ?? 'system');
  return (
    <ChoiceField
      label={en.theme.label}
      value={theme}
      options={themes.map((option) => [option, en.theme[option]] as const)}
      set={(next) => {
        keep(themeKey, next);
        setTheme(next);
        applyTheme();
      }}
    />
  );
}

const themes = ['system', 'light', 'dark'] as const;

/** Whether single keys are shortcuts, unless it was said that they are not. */
export function areKeysOn(): boolean {
  return kept(keysKey) !== 'off';
}

/** Says whether they are. */
export function setKeysOn(isOn: boolean): void {
  keep(keysKey, isOn ? 'on' : 'off');
}

function kept(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    // A browser may forbid it: then nothing was chosen.
    return undefined;
  }
}

function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // It holds until the page is left.
  }
}
