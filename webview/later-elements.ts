// The elements of the parts that are loaded later, and their names: one line each.
import { ComboBox } from './components/combo-box';
import { ContentValue } from './components/content-value';
import { RescueTrace } from './components/rescue-trace';
import { SelectBox } from './components/select-box';

export const LATER_ELEMENTS: Readonly<Record<`pg-${string}`, CustomElementConstructor>> = {
  'pg-combo-box': ComboBox,
  'pg-content-value': ContentValue,
  'pg-rescue-trace': RescueTrace,
  'pg-select-box': SelectBox,
};
