import { useState } from 'preact/hooks';
import { store, stored } from '../data/storage.ts';
import { Segments } from '../parts/segments.tsx';
import { en } from '../text/en.ts';

const themeKey = 'theme';
const keysKey = 'keys';

/** The system's theme unless the reader chose one. */
export function applyTheme(): void {
  const theme = stored(themeKey);
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

export function ThemeChoice() {
  const [theme, setTheme] = useState(stored(themeKey) ?? 'system');
  return (
    <Segments
      label={en.theme.label}
      value={theme}
      options={themes.map((option) => [option, en.theme[option]] as const)}
      set={(next) => {
        store(themeKey, next);
        setTheme(next);
        applyTheme();
      }}
    />
  );
}

const themes = ['system', 'light', 'dark'] as const;

export function areKeysOn(): boolean {
  return stored(keysKey) !== 'off';
}

export function setKeysOn(isOn: boolean): void {
  store(keysKey, isOn ? 'on' : 'off');
}
