import { LANGUAGE_TAGS, LANGUAGES, type Language } from '#domain/core/language';
import { language, useT } from '../../i18n/i18n';
import { LANGUAGE_NAMES } from '../../i18n/languageNames';
import { chooseLanguage } from '../../preferences/language';
import { Page } from '../../ui/Page';
import { PickList } from '../../ui/PickList';
import { showToastHere } from '../../ui/toastStore';
import { useGoBackHere } from '../../ui/useNavigateHere';
import { useValue } from '../../useValue';
import styles from './LanguageScreen.module.css';

const OPTIONS = LANGUAGES.map((code) => ({
  value: code,
  label: LANGUAGE_NAMES[code],
  lang: LANGUAGE_TAGS[code],
}));

/** `/language`: choosing a language applies it and goes back. */
export function LanguageScreen() {
  const t = useT();
  const shown = useValue(language);
  const goBack = useGoBackHere();
  const choose = (next: Language) => {
    chooseLanguage(next).then(
      (isShown) => isShown && goBack(),
      () => showToastHere(t('language.failed'), 'error'),
    );
  };
  return (
    <Page title={t('language.title')} className={styles.languages}>
      <PickList label={t('language.title')} options={OPTIONS} value={shown} onPick={choose} />
    </Page>
  );
}
