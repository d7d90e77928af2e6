import bg from './material-labels/bg.json' with { type: 'json' }
import cs from './material-labels/cs.json' with { type: 'json' }
import da from './material-labels/da.json' with { type: 'json' }
import de from './material-labels/de.json' with { type: 'json' }
import el from './material-labels/el.json' with { type: 'json' }
import es from './material-labels/es.json' with { type: 'json' }
import et from './material-labels/et.json' with { type: 'json' }
import fi from './material-labels/fi.json' with { type: 'json' }
import fr from './material-labels/fr.json' with { type: 'json' }
import ga from './material-labels/ga.json' with { type: 'json' }
import hr from './material-labels/hr.json' with { type: 'json' }
import hu from './material-labels/hu.json' with { type: 'json' }
import icelandic from './material-labels/is.json' with { type: 'json' }
import it from './material-labels/it.json' with { type: 'json' }
import lt from './material-labels/lt.json' with { type: 'json' }
import lv from './material-labels/lv.json' with { type: 'json' }
import mt from './material-labels/mt.json' with { type: 'json' }
import nl from './material-labels/nl.json' with { type: 'json' }
import no from './material-labels/no.json' with { type: 'json' }
import pl from './material-labels/pl.json' with { type: 'json' }
import pt from './material-labels/pt.json' with { type: 'json' }
import ro from './material-labels/ro.json' with { type: 'json' }
import sk from './material-labels/sk.json' with { type: 'json' }
import sl from './material-labels/sl.json' with { type: 'json' }
import sv from './material-labels/sv.json' with { type: 'json' }
import tr from './material-labels/tr.json' with { type: 'json' }
import uk from './material-labels/uk.json' with { type: 'json' }

/**
 * Material names by language, then by English name. Fibre names should match Annex I to Regulation (EU) No 1007/2011; not all were
 * compared.
 */
export const LABELS: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map(
  Object.entries({
    bg,
    cs,
    da,
    de,
    el,
    es,
    et,
    fi,
    fr,
    ga,
    hr,
    hu,
    is: icelandic,
    it,
    lt,
    lv,
    mt,
    nl,
    no,
    pl,
    pt,
    ro,
    sk,
    sl,
    sv,
    tr,
    uk,
  }),
)
