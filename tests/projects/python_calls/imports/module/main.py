import pkg.deep
import tools as t

t.greet()
pkg.deep.run()
