import { settingsOf } from '../admin/app-settings.ts';
import type { MissingAppsPolicy, PlannedApp } from '../admin/file-plan.ts';
import { type SettingDifference, settingTexts } from '../admin/setting-texts.ts';

/** What of an app differs between the file and the store, and what a start would do. */
export interface AppDifference {
  readonly app: string;
  /** `leave`: nothing; `refuse`: the start itself would not begin. */
  readonly atStart: 'create' | 'change' | 'leave' | 'disable' | 'keep' | 'refuse';
  readonly settings: readonly {
    readonly setting: string;
    /** Null where the store does not have the app. */
    readonly store: string | null;
    readonly file: string;
    /** Whether a start sets it; a value that a command has changed stays. */
    readonly isSet: boolean;
  }[];
}

/** The line of `config diff` for one app. */
export function differenceOf(planned: PlannedApp, missing: MissingAppsPolicy): AppDifference {
  const app = planned.name;
  switch (planned.kind) {
    case 'create': {
      const { name: _name, ...named } = planned.app;
      const settings = [...settingTexts(settingsOf(named))].map(([setting, file]) => {
        return { setting, store: null, file, isSet: true };
      });
      return { app, atStart: 'create', settings };
    }
    case 'change': {
      const settings = [...shown(planned.differences, true), ...shown(planned.drift, false)];
      return { app, atStart: planned.differences.length > 0 ? 'change' : 'leave', settings };
    }
    case 'same':
      return { app, atStart: 'leave', settings: shown(planned.drift, false) };
    case 'missing':
      return { app, atStart: missing, settings: [] };
    case 'unused': {
      const isLeft = missing === 'keep' || !planned.row.isEnabled;
      return { app, atStart: isLeft ? 'leave' : 'disable', settings: [] };
    }
    case 'command':
    case 'left':
      return { app, atStart: 'leave', settings: [] };
  }
}

function shown(differences: readonly SettingDifference[], isSet: boolean) {
  return differences.map((difference) => ({ ...difference, isSet }));
}
